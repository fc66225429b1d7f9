/** Redirects a paid order into an existing tenant of its company, as its buyer or staff choose, instead of a new one. */
import { deleteCredentials } from "#db/accounts/credentials.ts";
import { hasTenantItem, listTenantsOf, type Tenant } from "#db/accounts/tenants.ts";
import { deleteFulfilment } from "#db/fulfilment/fulfilments.ts";
import { updateInvitationStatus } from "#db/fulfilment/partner-invitations.ts";
import type { Order } from "#db/orders/order.ts";
import { deleteUnfinishedSteps } from "#db/platform/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { domainOfCustomer, families } from "#server/catalogue/families/registry.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { withNote, withSignInProblem } from "./buyer-notes.ts";
import { hasControlProof } from "./control-proof.ts";
import { queueFulfilment } from "./queue.ts";

/**
 * Lists the tenants that an order may go into instead: in its country, with a valid control proof, and without the plan if it
 * is sold once.
 */
export async function otherTenants(db: Db, order: Order, now = new Date()): Promise<Tenant[]> {
  const { customerId, family, tenantId, country, itemId } = order;
  const { tenants } = families[family];
  if (tenants === null || customerId === null) return [];
  const fitting: Tenant[] = [];
  for (const tenant of await listTenantsOf(db, customerId, family)) {
    if (tenant.id === tenantId || tenant.country !== country) continue;
    if (!(await hasControlProof(db, { customerId, family, tenantExternalId: tenant.externalId }, now)))
      continue;
    if (tenants.sellsPlanOnce && (await hasTenantItem(db, tenant.id, itemId))) continue;
    fitting.push(tenant);
  }
  return fitting;
}

/** Discards the earlier answer and its unfinished steps, and queues the order. @param order locked */
export async function enterTenant(trx: Trx, order: Order, { id: tenantId, domain }: Tenant): Promise<void> {
  await deleteUnfinishedSteps(trx, order.id);
  await deleteCredentials(trx, order.id, ["sign-in", "transfer-token"]);
  await deleteFulfilment(trx, order.id);
  await updateInvitationStatus(trx, order.id, { from: "accepted", to: "refused" });
  await updateInvitationStatus(trx, order.id, { from: "pending", to: "timed_out" });
  const { details } = withSignInProblem(withNote(order, undefined), undefined);
  const google = domainOfCustomer(order.family, domain);
  await moveOrder(trx, order, {
    tenantId,
    signIn: null,
    fulfilmentStatus: "queued",
    details: { ...details, addedTo: domain, ...(google !== undefined && { google }) },
  });
  await queueFulfilment(trx, order.id);
}
