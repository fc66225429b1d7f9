/** The signed-in user, as the header and the sidebar show them. */

export interface HeaderUser {
  /** First and last name. */
  name: string;
  email: string;
  role: string;
  /** Empty before the first order. */
  customerId: string;
  /** The company that the user acts for. */
  company: string | null;
}

/**
 * The name in the header: a CUSTOMER's, unless its customerId has length 1 (docs/specification.md, section 6). One character
 * used to mark the operator's own accounts. Ours is a uuid, or empty before the first order, so the name is always shown.
 */
export function displayName(user: { role: string; customerId: string; name: string }): string | null {
  return user.role === "CUSTOMER" && user.customerId.length !== 1 && user.name !== "" ? user.name : null;
}
