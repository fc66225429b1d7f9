/**
 * `npm run staff`: for the operator, manages staff accounts. The first admin is created here, the others in Desk.
 *   -- list                             lists the accounts
 *   -- add EMAIL ROLE                   creates an account, and prints a one-time link for its owner
 *   -- remove EMAIL                     removes an account, and ends all its sessions
 *   -- reset-second-factor EMAIL        removes password, second factor and sessions, and prints a one-time link
 *
 * ROLE is viewer, support, finance or admin. Needs the store's settings.
 */
import { listStaff } from "#db/desk/staff.ts";
import { staffRoles } from "#server/desk/roles.ts";
import {
  addStaff,
  getStaffByEmail,
  removeStaff,
  resetStaff,
  type SetUpLink,
} from "#server/desk/staff-accounts.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { commandContext, currentOsUser } from "./operator.ts";

const usage = `npm run staff -- list
npm run staff -- add EMAIL ${staffRoles.join("|")}
npm run staff -- remove EMAIL
npm run staff -- reset-second-factor EMAIL`;

const context = commandContext("staff");
try {
  await run(process.argv.slice(2));
} catch (error) {
  // Prints one sentence for a wrong request, and the stack for a fault of ours.
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

async function run([what, email, role, ...more]: string[]): Promise<void> {
  const { db } = context;
  const audit = { by: currentOsUser(), reason: "npm run staff" };
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}".`);
  if (what === "list" && email === undefined) return printStaff();
  if (what !== "add" && what !== "remove" && what !== "reset-second-factor") throw wrong("Unknown command.");
  if (email === undefined || !/^\S+@\S+$/.test(email)) throw wrong("Missing EMAIL.");
  switch (what) {
    case "add": {
      const known = staffRoles.find((each) => each === role);
      if (known === undefined) throw wrong("Missing role.");
      return printLink(email, await addStaff(context, { email, role: known }, audit));
    }
    case "remove":
      await removeStaff(db, (await getStaffByEmail(db, email)).id, audit);
      console.log(`${email} is no longer staff.`);
      return;
    case "reset-second-factor":
      return printLink(email, await resetStaff(context, (await getStaffByEmail(db, email)).id, audit));
  }
}

async function printStaff(): Promise<void> {
  const staff = await listStaff(context.db);
  for (const { email, role, hasPassword, hasSecondFactor } of staff) {
    const state = hasSecondFactor ? "" : hasPassword ? "  two-step sign-in off" : "  account not set up";
    console.log(`${email}  ${role}${state}`);
  }
  console.log(staff.length === 0 ? "No staff yet." : `${staff.length} in all.`);
}

function printLink(email: string, { path, expiresAt }: SetUpLink): void {
  console.log(`Setup link for ${email} (works once, expires ${expiresAt.toISOString()}):`);
  console.log(new URL(path, context.env.PUBLIC_URL).href);
}
