/** Staff accounts. */
import { listStaff } from "#db/desk/staff.ts";
import { type Check, invalid, missing, ok } from "./check.ts";

export const staff: Check = {
  id: "staff",
  name: "Staff",
  look: async ({ context }) => {
    const all = await listStaff(context.db);
    const admins = all.filter(({ role }) => role === "admin");
    if (admins.length === 0) return [missing("Desk has no admin.", "npm run staff -- add EMAIL admin")];
    const secured = admins.filter(({ hasPassword, hasSecondFactor }) => hasPassword && hasSecondFactor);
    return secured.length === 0
      ? [
          invalid(
            "No Desk admin uses two-step sign-in.",
            "Have an admin open the link from: npm run staff -- reset-second-factor EMAIL",
          ),
        ]
      : [ok(`${secured.length} of ${admins.length} admins use two-step sign-in.`)];
  },
};
