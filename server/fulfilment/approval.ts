/**
 * What an order into a tenant that exists still waits for: that an administrator shows that the tenant is the company's, and for one
 * new to us, that it takes us as its partner. The buyer does this, or the administrator to whom the buyer has a link mailed: who
 * orders and who administers may be two people.
 */
import { type Claim, findDomainChallenge, saveDomainChallenge } from "#db/control-proofs.ts";
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import type { Invitation } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findTenant } from "#db/tenants.ts";
import { readAdministratorToken } from "#server/accounts/one-time-tokens.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { administratorOf, type SignInRefusal } from "#server/families/family.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/order.ts";
import { queueMail } from "#server/outbox/mail.ts";
import type { EntraPerson } from "#server/providers/entra.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import { newToken } from "#server/security/token.ts";
import { tellAskingBuyer } from "./administrators.ts";
import { isProven, isTakenElsewhere, recordProof } from "./control.ts";
import { findInvitation, watchFrom } from "./invitations.ts";

const hour = 3_600;
export const requestDays = 7;
const requestMs = requestDays * 24 * hour * 1_000;

export interface Approval {
  order: Order;
  claim: Claim;
  domain: string;
  /** True once the company has shown that the tenant is its own. */
  proven: boolean;
  /** The wait for the partner relationship; null for a tenant that the company has with us already. */
  invitation: Invitation | null;
}

/** Null when the order waits for nothing of the kind: it makes its tenant, has none, is under way, or its wait is over. */
export async function approvalOf(db: Db, order: Order, now: Date): Promise<Approval | null> {
  const about = await tenantOf(db, order);
  if (about === null) return null;
  return { order, ...about, proven: await isProven(db, about.claim, now) };
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
  const invitation = await findInvitation(db, order.id);
  if (invitation?.status !== "pending" || invitation.tenantExternalId === null) return null;
  const claim = { customerId, family, tenantExternalId: invitation.tenantExternalId };
  return { claim, domain: invitation.domain, invitation };
}

/** True while there is something to do on the approval page. */
export function isWaitedFor(approval: Approval | null): approval is Approval {
  return approval !== null && (!approval.proven || approval.invitation !== null);
}

/** The order that a mailed link is about; null when the link is made up or too old. It opens nothing else of the order. */
export async function orderOfLink(db: Db, token: string): Promise<Order | null> {
  const orderId = await readAdministratorToken(db, token);
  return orderId === null ? null : findOrder(db, orderId);
}

/**
 * Takes a sign-in at the vendor as the proof for an order; the relationship is looked for at once, by a worker.
 * @param input.tenantId the tenant that was signed in to
 * @returns why it is no proof; null when it is
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
    // Answered anew while the administrator was away: another account is asked for by now.
    if (about?.claim.tenantExternalId !== tenantId) return "over";
    const { objectId: subject, authenticatedAt } = person;
    await saveProof(trx, about, {
      method: "sign-in",
      person: { subject, role: verdict.role },
      authenticatedAt,
      by,
    });
    if (about.invitation !== null) await watchFrom(context, trx, about.invitation, now);
    return null;
  });
}

/** The proof itself, and the mails that follow from it. */
async function saveProof(
  trx: Trx,
  { order, claim, domain, invitation }: Approval,
  proof: Omit<Parameters<typeof recordProof>[2], "order">,
): Promise<void> {
  await recordProof(trx, claim, { ...proof, order });
  await isTakenElsewhere(trx, claim, order);
  // With a relationship to wait for, the buyer is told when that has come too.
  if (invitation === null) await tellAskingBuyer(trx, order, domain);
}

/**
 * Mails a link to an administrator, and waits for as long as it works.
 * @throws DomainError rate_limited; conflict when the order waits for nobody any more
 */
export async function askAdministrator(
  context: Context,
  input: { orderId: OrderId; email: string; by: UserId | null; now: Date },
): Promise<void> {
  const { db } = context;
  const { orderId, email, by, now } = input;
  await consumeRateLimit(db, {
    name: "ask-administrator",
    key: by ?? orderId,
    limit: 10,
    windowSeconds: hour,
  });
  // However many orders ask, nobody's mailbox is filled.
  await consumeRateLimit(db, {
    name: "ask-administrator-to",
    key: email.toLowerCase(),
    limit: 5,
    windowSeconds: 24 * hour,
  });
  await db.transaction().execute(async (trx) => {
    const approval = await approvalOf(trx, await lockOrder(trx, orderId), now);
    if (!isWaitedFor(approval)) throw approvalOver();
    await queueMail(trx, {
      kind: "ask-administrator",
      // Asked for again, it is sent again: the first may be lost.
      dedupeKey: `ask-administrator:${newId()}`,
      recipient: email,
      orderId,
      data: { by: by ?? "", domain: approval.domain },
    });
    if (approval.invitation !== null) {
      await watchFrom(context, trx, approval.invitation, now, new Date(now.getTime() + requestMs));
    }
  });
}

export function approvalOver(): DomainError {
  return new DomainError("conflict", "This order does not wait for an approval any more.");
}

/** Where a domain's owner publishes the value. */
export const recordName = (domain: string): string => `_store-verify.${domain}`;

/** The record that shows that a domain is the company's: the same for 7 days, then another. */
export async function domainRecord(
  db: Db,
  { order, domain }: Pick<Approval, "order" | "domain">,
  now: Date,
): Promise<{ name: string; value: string }> {
  const expires_at = new Date(now.getTime() + requestMs);
  await saveDomainChallenge(db, { order_id: order.id, domain, value: newToken(), expires_at }, now);
  const challenge = await findDomainChallenge(db, order.id, now);
  if (challenge === null) throw new RangeError("A challenge that was just written is not there");
  return { name: recordName(domain), value: challenge.value };
}

/**
 * Looks the record up, at every name server of the settings: all must have it.
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
  if (!isWaitedFor(approval)) throw approvalOver();
  const challenge = await findDomainChallenge(db, orderId, now);
  const answers =
    challenge === null
      ? []
      : await context.dns.readText(recordName(challenge.domain)).catch((error: unknown) => {
          if (!(error instanceof ProviderError)) throw error;
          log.warn({ err: error, orderId }, "a domain's record could not be looked up");
          throw new DomainError(
            "provider_unavailable",
            "The name servers did not answer. Please try again in a minute.",
          );
        });
  const isThere = answers.length > 0 && answers.every((records) => records.includes(challenge?.value ?? ""));
  if (!isThere) {
    throw new DomainError(
      "bad_request",
      "We do not see the record yet. A new record can take up to an hour to be seen everywhere. Please check it and try again.",
    );
  }
  await db.transaction().execute(async (trx) => {
    const locked = await approvalOf(trx, await lockOrder(trx, orderId), now);
    if (locked === null || locked.domain !== challenge?.domain) throw approvalOver();
    await saveProof(trx, locked, { method: "dns", authenticatedAt: now, by });
  });
}
