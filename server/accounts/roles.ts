/** Permissions of each member role: pages, calls and rules all use this table. */
import type { MemberRole } from "#db/tables/enums.ts";

/**
 * order: begin, change and pay orders; approve: approve or decline a colleague's order; manage: members and the company's rules.
 */
type CompanyAct = "order" | "approve" | "manage";

/** Every member may read the company's lists and documents. */
const acts: Readonly<Record<MemberRole, readonly CompanyAct[]>> = {
  owner: ["order", "approve", "manage"],
  buyer: ["order"],
  approver: ["approve"],
  viewer: [],
};

export function roleMay(role: MemberRole, act: CompanyAct): boolean {
  return acts[role].includes(act);
}

/** Ordered from the fewest permissions to the most. */
export const memberRoles = ["viewer", "approver", "buyer", "owner"] as const satisfies readonly MemberRole[];

export function rolesThatMay(act: CompanyAct): readonly MemberRole[] {
  return memberRoles.filter((role) => roleMay(role, act));
}
