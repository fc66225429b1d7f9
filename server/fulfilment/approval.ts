/**
 * The approval of an order into an existing tenant. An administrator proves that the tenant is the company's and, when the
 * tenant is new to us, accepts us as its partner. The buyer does this, or mails a link to an administrator, who may be someone
 * else.
 */

import { findTenant } from "#db/accounts/tenants.ts";
import { findDomainChallenge, saveDomainChallenge, type TenantClaim } from "#db/fulfilment/control-proofs.ts";
import type { PartnerInvitation } from "#db/fulfilment/partner-invitations.ts";
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { readAdministratorToken } from "#server/accounts/one-time-tokens.ts";
import { permitThirdPartyMail } from "#server/accounts/third-party-mail.ts";
import type { SignInRefusal } from "#server/catalogue/families/family.ts";
import { administratorOf } from "#server/catalogue/families/registry.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import type { EntraPerson } from "#server/integrations/entra.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder, getOrderFor, lockOrder, lockOrderFor, type Requester } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyRequestingBuyer } from "./administrators.ts";
import { hasControlProof, isTakenElsewhere, recordControlProof } from "./control-proof.ts";
import { findOrderInvitation, resumeWatching } from "./partner-invitations.ts";

const hour = 3_600;
export const requestDays = 7;
const requestMs = requestDays * 24 * hour * 1_000;

export interface Approval {
  order: Order;
  claim: TenantClaim;
  domain: string;
  /** Whether the company has proved control of the tenant. */
  proven: boolean;
  /** The wait for the partner relationship; null for a tenant that the company already has with us. */
  invitation: PartnerInvitation | null;
}

/** Reads an order's approval; null when it needs none: it creates its tenant, has none, is in progress, or its wait is over. */
export async function approvalOf(db: Db, order: Order, now: Date): Promise<Approval | null> {
  const about = await tenantOf(db, order);
  if (about === null) return null;
  return { order, ...about, proven: await hasControlProof(db, about.claim, now) };
}

async function tenantOf(db: Db, order: Order): Promise<Omit<Approval, "order" | "proven"> | null> {
  const { customerId, family, tenantId } = order;
  if (customerId === null) return null;
  if (tenantId !== null) {
    const tenant = isPaid(order) ? null : await findTenant(db, tenantId);
    if (tenant === null) return null;
    const claim = { customerId, family, tenantExternalId: tenant.externalId };
    return { claim, domain: tenant.domain, invitation: null };
  }
  if (order.signIn?.mode !== "existing" || order.fulfilmentStatus !== "waiting_for_signin") return null;
  const invitation = await findOrderInvitation(db, order.id);
  if (invitation?.status !== "pending" || invitation.tenantExternalId === null) return null;
  const claim = { customerId, family, tenantExternalId: invitation.tenantExternalId };
  return { claim, domain: invitation.domain, invitation };
}

/** Whether the approval page has something left to do. */
export function isApprovalPending(approval: Approval | null): approval is Approval {
  return approval !== null && (!approval.proven || approval.invitation !== null);
}

/**
 * Finds the order of a mailed link; null when the link is invalid or expired. The link gives access to nothing else of the
 * order.
 */
export async function orderOfLink(db: Db, token: string): Promise<Order | null> {
  const orderId = await readAdministratorToken(db, token);
  return orderId === null ? null : findOrder(db, orderId);
}

/**
 * Records a sign-in at the vendor as the proof for an order. A worker then checks the partner relationship immediately.
 * @param input.tenantId the tenant that the person signed in to
 * @returns the reason why it is not a proof; null when it is
 */
export async function proveBySignIn(
  context: Context,
  input: { orderId: OrderId; tenantId: string; person: EntraPerson; by: UserId | null; now: Date },
): Promise<SignInRefusal | "over" | null> {
  const { env, db, log } = context;
  const { orderId, tenantId, person, by, now } = input;
  const order = await findOrder(db, orderId);
  const rules = order === null ? null : administratorOf(order.family);
  if (rules === null) return "over";
  const verdict = rules.judge(person, {
    tenantId: tenantId.toLowerCase(),
    roles: env.ADMINISTRATOR_ROLES,
    now,
  });
  if ("refused" in verdict) {
    log.info({ orderId, tenantId, reason: verdict.refused }, "a sign-in proves no control of a tenant");
    return verdict.refused;
  }
  return db.transaction().execute(async (trx) => {
    const about = await approvalOf(trx, await lockOrder(trx, orderId), now);
    // The buyer may have chosen another tenant while the administrator was signing in.
    if (about?.claim.tenantExternalId !== tenantId) return "over";
    const { objectId: subject, authenticatedAt } = person;
    await saveProof(trx, about, {
      method: "sign-in",
      person: { subject, role: verdict.role },
      authenticatedAt,
      by,
    });
    if (about.invitation !== null) await resumeWatching(context, trx, about.invitation, now);
    return null;
  });
}

/** Stores the proof and queues the mails that follow from it. */
async function saveProof(
  trx: Trx,
  { order, claim, domain, invitation }: Approval,
  proof: Omit<Parameters<typeof recordControlProof>[2], "order">,
): Promise<void> {
  await recordControlProof(trx, claim, { ...proof, order });
  await isTakenElsewhere(trx, claim, order);
  // If the relationship is still missing, the buyer is mailed when it exists.
  if (invitation === null) await notifyRequestingBuyer(trx, order, domain);
}

/**
 * Mails a link to an administrator, and extends the wait for as long as the link works.
 * @throws DomainError not_found for another's order; forbidden without a proven mailbox; rate_limited; conflict when the order no longer waits for an approval
 */
export async function requestAdministratorApproval(
  context: Context,
  input: { orderId: OrderId; email: string; requester: Requester; now: Date },
): Promise<void> {
  const { db } = context;
  const { orderId, email, requester, now } = input;
  const { customerId } = await getOrderFor(db, orderId, requester);
  if (requester.userId === null) throw notFound("order");
  const permit = await permitThirdPartyMail(db, { userId: requester.userId, customerId }, email, now);
  await db.transaction().execute(async (trx) => {
    const { order } = await lockOrderFor(trx, orderId, requester);
    const approval = await approvalOf(trx, order, now);
    if (!isApprovalPending(approval)) throw approvalClosedError();
    await permit.queue(trx, {
      kind: "ask-administrator",
      // A repeated request sends the mail again, because the first one may be lost.
      dedupeKey: `ask-administrator:${newId()}`,
      orderId,
      data: { domain: approval.domain },
    });
    if (approval.invitation !== null) {
      await resumeWatching(context, trx, approval.invitation, now, new Date(now.getTime() + requestMs));
    }
  });
}

export function approvalClosedError(): DomainError {
  return new DomainError("conflict", msg("approval.noLonger"));
}

/** Returns the name of the DNS record in which the domain's owner publishes the value. */
export const dnsRecordName = (domain: string): string => `_store-verify.${domain}`;

/** Returns the DNS record that proves that a domain is the company's. Its value stays the same for 7 days. */
export async function domainRecord(
  db: Db,
  { order, domain }: Pick<Approval, "order" | "domain">,
  now: Date,
): Promise<{ name: string; value: string }> {
  const expiresAt = new Date(now.getTime() + requestMs);
  await saveDomainChallenge(db, { orderId: order.id, domain, value: newToken(), expiresAt }, now);
  const challenge = await findDomainChallenge(db, order.id, now);
  if (challenge === null) throw new RangeError("A challenge that was just written is not there");
  return { name: dnsRecordName(domain), value: challenge.value };
}

/**
 * Checks the DNS record at every configured name server. All of them must have it.
 * @throws DomainError bad_request when it is not there yet; provider_unavailable; rate_limited
 */
export async function proveByDomain(
  context: Context,
  input: { orderId: OrderId; by: UserId | null; now: Date },
): Promise<void> {
  const { db, log } = context;
  const { orderId, by, now } = input;
  await consumeRateLimit(db, { name: "domain-proof", key: orderId, limit: 30, windowSeconds: hour });
  const order = await findOrder(db, orderId);
  if (order === null) throw notFound("order");
  const approval = await approvalOf(db, order, now);
  if (!isApprovalPending(approval)) throw approvalClosedError();
  const challenge = await findDomainChallenge(db, orderId, now);
  const answers =
    challenge === null
      ? []
      : await forOrder(orderId, () => context.dns.readText(dnsRecordName(challenge.domain))).catch(
          (error: unknown) => {
            if (!(error instanceof ProviderError)) throw error;
            log.warn({ err: error, orderId }, "a domain's record could not be looked up");
            throw new DomainError("provider_unavailable", msg("approval.nameServers"));
          },
        );
  const isThere = answers.length > 0 && answers.every((records) => records.includes(challenge?.value ?? ""));
  if (!isThere) throw new DomainError("bad_request", msg("approval.recordNotSeen"));
  await db.transaction().execute(async (trx) => {
    const locked = await approvalOf(trx, await lockOrder(trx, orderId), now);
    if (locked === null || locked.domain !== challenge?.domain) throw approvalClosedError();
    await saveProof(trx, locked, { method: "dns", authenticatedAt: now, by });
  });
}
