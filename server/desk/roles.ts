/**
 * Staff roles, and the Desk pages that each may open. Actions declare their own roles (actions/action.ts). A page without an
 * entry here cannot be built (app/desk/route-builders.ts).
 */
import type { StaffRole } from "#db/tables/enums.ts";

/** Ordered from the fewest permissions to the most. */
export const staffRoles = ["viewer", "support", "finance", "admin"] as const satisfies readonly StaffRole[];

export const staffRoleLabels: Readonly<Record<StaffRole, string>> = {
  viewer: "Viewer: can see orders and what needs attention; can't change anything",
  support: "Support: retries orders, resends emails, adds notes",
  finance: "Finance: refunds, prices, content, documents, discrepancies",
  admin: "Admin: everything, including staff",
};

/** Never empty: an action without a role could not be used. */
export type Roles = readonly [StaffRole, ...StaffRole[]];

export const everyRole: Roles = staffRoles;
/** Roles that may change something. */
export const editorRoles: Roles = ["support", "finance", "admin"];
export const moneyRoles: Roles = ["finance", "admin"];
/** Roles that may see an order's documents. */
export const documentRoles: Roles = editorRoles;

interface Door {
  roles: Roles;
  /** Label in Desk's navigation; null for a page that is reached from others. */
  navigationLabel: string | null;
}

/** Pages in the order of the navigation. */
export const deskPages = {
  queue: { roles: everyRole, navigationLabel: "Needs attention" },
  queueFile: { roles: everyRole, navigationLabel: null },
  orders: { roles: everyRole, navigationLabel: "Orders" },
  ordersFile: { roles: everyRole, navigationLabel: null },
  order: { roles: everyRole, navigationLabel: null },
  documents: { roles: moneyRoles, navigationLabel: "Documents" },
  documentsFile: { roles: moneyRoles, navigationLabel: null },
  documentsZip: { roles: moneyRoles, navigationLabel: null },
  document: { roles: documentRoles, navigationLabel: null },
  documentPdf: { roles: documentRoles, navigationLabel: null },
  gstr1: { roles: moneyRoles, navigationLabel: "GSTR-1" },
  gstr1File: { roles: moneyRoles, navigationLabel: null },
  money: { roles: moneyRoles, navigationLabel: "Money" },
  moneyList: { roles: moneyRoles, navigationLabel: null },
  moneyFile: { roles: moneyRoles, navigationLabel: null },
  customers: { roles: everyRole, navigationLabel: "Customers" },
  customersFile: { roles: editorRoles, navigationLabel: null },
  customer: { roles: everyRole, navigationLabel: null },
  tenants: { roles: moneyRoles, navigationLabel: "Tenants" },
  act: { roles: everyRole, navigationLabel: null },
  mail: { roles: everyRole, navigationLabel: "Email" },
  jobs: { roles: everyRole, navigationLabel: "Jobs" },
  vendors: { roles: everyRole, navigationLabel: "Vendors" },
  prices: { roles: moneyRoles, navigationLabel: "Prices" },
  pricesFile: { roles: moneyRoles, navigationLabel: null },
  priceList: { roles: moneyRoles, navigationLabel: null },
  priceHistory: { roles: moneyRoles, navigationLabel: null },
  texts: { roles: moneyRoles, navigationLabel: "Content" },
  itemTexts: { roles: moneyRoles, navigationLabel: null },
  slide: { roles: moneyRoles, navigationLabel: null },
  staff: { roles: ["admin"], navigationLabel: "Staff" },
  staffFile: { roles: ["admin"], navigationLabel: null },
  audit: { roles: ["finance", "admin"], navigationLabel: "Audit log" },
  auditFile: { roles: ["finance", "admin"], navigationLabel: null },
} as const satisfies Record<string, Door>;

export type DeskPageId = keyof typeof deskPages;

export function maySee(role: StaffRole, door: DeskPageId): boolean {
  return hasRole(role, deskPages[door].roles);
}

export function hasRole(role: StaffRole, roles: readonly StaffRole[]): boolean {
  return roles.includes(role);
}
