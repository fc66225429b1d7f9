/** What each role of a company's members may do: the one table that pages, calls and rules ask. */
import type { MemberRole } from "#db/tables/enums.ts";

/** order: begin, change and pay orders; approve: say yes or no to an order of a colleague; manage: members and the company's rules. */
type CompanyAct = "order" | "approve" | "manage";

/** Every member reads the company's lists and documents. */
const acts: Readonly<Record<MemberRole, readonly CompanyAct[]>> = {
  owner: ["order", "approve", "manage"],
  buyer: ["order"],
  approver: ["approve"],
  viewer: [],
};

export function roleMay(role: MemberRole, act: CompanyAct): boolean {
  return acts[role].includes(act);
}

/** From the one that may least to the one that may most. */
export const memberRoles = ["viewer", "approver", "buyer", "owner"] as const satisfies readonly MemberRole[];

export function rolesThatMay(act: CompanyAct): readonly MemberRole[] {
  return memberRoles.filter((role) => roleMay(role, act));
}
