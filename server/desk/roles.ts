/**
 * What the roles of staff are, and which of them a page of the desk opens to. Acts name theirs themselves (acts/act.ts). A page
 * that is not here cannot be built (app/desk/page.ts).
 */
import type { StaffRole } from "#db/tables/enums.ts";

/** From the one that may least. */
export const staffRoles = ["viewer", "support", "finance", "admin"] as const satisfies readonly StaffRole[];

export const roleWords: Readonly<Record<StaffRole, string>> = {
  viewer: "Viewer: sees orders and what waits, changes nothing",
  support: "Support: sends orders on, resends mail, writes notes",
  finance: "Finance: refunds, documents, differences of the books",
  admin: "Admin: everything, staff included",
};

/** One or more: what nobody may do is not built. */
export type Roles = readonly [StaffRole, ...StaffRole[]];

export const everyRole: Roles = staffRoles;
/** Those who change something. */
export const actingRoles: Roles = ["support", "finance", "admin"];
export const moneyRoles: Roles = ["finance", "admin"];

interface Door {
  roles: Roles;
  /** What the desk's navigation calls it; null for a page that is reached from others. */
  inNavigation: string | null;
}

/** In the order of the navigation. */
export const doors = {
  queue: { roles: everyRole, inNavigation: "What needs a person" },
  orders: { roles: everyRole, inNavigation: "Orders" },
  order: { roles: everyRole, inNavigation: null },
  act: { roles: everyRole, inNavigation: null },
  mail: { roles: everyRole, inNavigation: "Mail" },
  jobs: { roles: everyRole, inNavigation: "Jobs" },
  vendors: { roles: everyRole, inNavigation: "Vendors" },
  staff: { roles: ["admin"], inNavigation: "Staff" },
  audit: { roles: ["finance", "admin"], inNavigation: "Audit" },
  auditFile: { roles: ["finance", "admin"], inNavigation: null },
} as const satisfies Record<string, Door>;

export type DoorId = keyof typeof doors;

export function maySee(role: StaffRole, door: DoorId): boolean {
  return isAmong(role, doors[door].roles);
}

export function isAmong(role: StaffRole, roles: readonly StaffRole[]): boolean {
  return roles.includes(role);
}
