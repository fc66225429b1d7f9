/** The people who run the store. */
import { listStaff } from "#db/staff.ts";
import { type Check, missing, right, wrong } from "./check.ts";

export const staff: Check = {
  id: "staff",
  name: "Staff",
  look: async ({ context }) => {
    const all = await listStaff(context.db);
    const admins = all.filter(({ role }) => role === "admin");
    if (admins.length === 0)
      return [missing("There is no admin of the desk.", "npm run staff -- add EMAIL admin")];
    const secured = admins.filter(({ hasPassword, hasSecondFactor }) => hasPassword && hasSecondFactor);
    return secured.length === 0
      ? [
          wrong(
            "No admin of the desk has a second factor.",
            "Let one follow the link: npm run staff -- reset-second-factor EMAIL",
          ),
        ]
      : [right(`${secured.length} of ${admins.length} admins are set up with a second factor.`)];
  },
};
