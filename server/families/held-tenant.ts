/** What a family needs to know of a subscription that it changes: the tenant it lives in. */
import type { Destination, Held } from "./family.ts";

/** @throws RangeError without one: a fault of ours */
export function requireTenant({ destination }: Pick<Held, "destination">): Destination {
  if (destination === null) throw new RangeError("A subscription of this family lives in a tenant");
  return destination;
}
