/**
 * Ownership of domains' Google accounts. Fixed: a name starting `taken` already belongs to this reseller, one starting `transfer`
 * to another reseller (or as planted by /control/seed); a customer created here is ours; every other domain has no account.
 */
import { createHash } from "node:crypto";
import type { Sandbox } from "../sandbox.ts";
import type { ForeignIdentity, GoogleCustomer } from "./entities.ts";
import { type HeldElsewhere, skusByDomainPrefix } from "./mode.ts";
import { isDone } from "./operations.ts";

/** Always the same for a domain, so that it can be recognised after a reset. */
export function identityIdOf(domain: string): string {
  return `C${createHash("sha256").update(domain).digest("hex").slice(0, 8)}`;
}

export function isTaken(domain: string): boolean {
  return domain.startsWith("taken");
}

/** Another reseller's account for this domain, remembered so that it is found by its id later. */
export function foreignIdentity(sandbox: Sandbox, domain: string): ForeignIdentity | undefined {
  const { identities } = sandbox.state.google;
  const id = identityIdOf(domain);
  const known = identities[id];
  if (known !== undefined || !domain.startsWith("transfer")) return known;
  const fixed = Object.entries(skusByDomainPrefix).find(([beginning]) => domain.startsWith(beginning))?.[1];
  return addForeignIdentity(sandbox, domain, fixed ?? sandbox.google.transferableSkus);
}

export function addForeignIdentity(
  sandbox: Sandbox,
  domain: string,
  skus: readonly HeldElsewhere[],
): ForeignIdentity {
  const identity = { id: identityIdOf(domain), domain, skus: [...skus] };
  sandbox.state.google.identities[identity.id] = identity;
  return identity;
}

/** The id of a customer's Cloud Identity, once it has one. */
export function identityOf(sandbox: Sandbox, { identity }: GoogleCustomer): string | undefined {
  return identity !== null && isDone(sandbox, identity.operation) ? identity.id : undefined;
}

export function customerOfDomain(sandbox: Sandbox, domain: string): GoogleCustomer | undefined {
  return Object.values(sandbox.state.google.customers).find((each) => each.domain === domain);
}
