/**
 * The sign-in step: the buyer says which account the paid order goes to. A new one, and a Google transfer, are queued at
 * once; for an existing Microsoft tenant its administrator confirms the order and accepts us first.
 */
import { isDeepStrictEqual } from "node:util";
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { domainMessages, limitDomainLookUps, requireFreePrefix } from "#server/families/microsoft/domain.ts";
import { type Asker, getOrderFor, lockOrder, mayOpen } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import type { Order, SignInAnswers } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { isSameSecret } from "#server/security/token.ts";
import { readCredentials, storeCredentials } from "../credentials/credentials.ts";
import { beginInvitation, checkInvitation, findInvitation } from "./invitations.ts";
import { queueFulfilment } from "./queue.ts";

export type MicrosoftAnswers = Extract<SignInAnswers, { mode: "new" | "existing" }>;

/** What only passes through: kept encrypted beside the order, never among its answers. */
export interface SignInSecret {
  purpose: "sign-in" | "transfer-token";
  username: string;
  value: string;
}

/**
 * Takes the answers of Google Sign-In: the administrator's password or the transfer token is kept encrypted, and the
 * order is queued. A refused token brings the buyer back here, and the payment stays.
 * @throws DomainError bad_request when the mode is not the order's; conflict when too late; not_found
 */
export async function answerGoogleSignIn(
  context: Context,
  input: { orderId: OrderId; asker: Asker; answers: SignInAnswers; secret: SignInSecret },
): Promise<void> {
  await saveAnswers(context, input, async (trx, order) => {
    const expected =
      order.details.google?.customerType === "transfer_token" ? "google-transfer" : "google-new";
    if (input.answers.mode !== expected) {
      throw new DomainError("bad_request", "These sign-in details do not fit this order.");
    }
    const { purpose, username, value } = input.secret;
    await trx
      .deleteFrom("credentials")
      .where("order_id", "=", order.id)
      .where("purpose", "=", purpose)
      .execute();
    await storeCredentials(context, trx, order.id, purpose, { username, password: value });
    await moveOrder(trx, order, { ...saved(order, input.answers), fulfilment_status: "queued" });
    await queueFulfilment(trx, order.id);
  });
}

/**
 * Takes the sign-in answers of a paid Microsoft order. Posting again is allowed until fulfilment is queued.
 * @throws DomainError bad_request with the field when the prefix is taken or the tenant unknown; conflict when too late; rate_limited
 * @throws ProviderError when Microsoft does not answer
 */
export async function answerSignIn(
  context: Context,
  input: { orderId: OrderId; asker: Asker; answers: MicrosoftAnswers; clientAddress: string; now: Date },
): Promise<void> {
  const { answers } = input;
  // Owner and state first: nobody uses another's order, or an unpaid one, to make us call Microsoft.
  requireWaiting(await getOrderFor(context.db, input.orderId, input.asker));
  if (answers.mode === "new") {
    await requireFreePrefix(context, answers.prefix, input.clientAddress);
    await saveAnswers(context, input, async (trx, order) => {
      await moveOrder(trx, order, { ...saved(order, answers), fulfilment_status: "queued" });
      await queueFulfilment(trx, order.id);
    });
    return;
  }
  await limitDomainLookUps(context.db, input.clientAddress);
  const domain = answers.username.split("@")[1] ?? "";
  const { tenantId, link } = await findTenant(context, domain);
  await saveAnswers(context, input, async (trx, order) => {
    await moveOrder(trx, order, saved(order, answers));
    await beginInvitation(context, trx, {
      orderId: order.id,
      username: answers.username,
      tenantId,
      link,
      now: input.now,
    });
  });
}

/**
 * Whether the answers are those that the order is being carried out with. A password or token that is kept no more cannot be compared:
 * it has been used.
 */
export async function isAnsweredAlike(
  context: Context,
  order: Order,
  { answers, secret }: { answers: SignInAnswers; secret?: SignInSecret },
): Promise<boolean> {
  if (!isDeepStrictEqual(order.signIn, answers)) return false;
  if (secret === undefined) return true;
  const kept = await readCredentials(context, context.db, order.id, secret.purpose);
  return kept === null || isSameSecret(kept.password, secret.value);
}

async function findTenant(context: Context, domain: string): Promise<{ tenantId: string; link: string }> {
  const refuse = (code: "bad_request" | "provider_unavailable", message: string) =>
    new DomainError(code, message, { fields: { existingUsername: message } });
  try {
    const tenantId = await context.partnerCenter.tenantIdOfDomain(domain);
    if (tenantId === null) {
      throw refuse("bad_request", "Microsoft does not know this domain. Please check the username.");
    }
    return { tenantId, link: await context.partnerCenter.relationshipRequestUrl() };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a tenant could not be looked up");
    throw refuse("provider_unavailable", domainMessages.failed);
  }
}

/** "Check again", for buyers without scripts and for the impatient. @throws DomainError not_found */
export async function checkApproval(context: Context, orderId: OrderId, asker: Asker): Promise<void> {
  await getOrderFor(context.db, orderId, asker);
  const invitation = await findInvitation(context.db, orderId);
  if (invitation !== null) await checkInvitation(context, invitation.id);
}

async function saveAnswers(
  context: Context,
  input: { orderId: OrderId; asker: Asker },
  save: (trx: Trx, order: Order) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, input.orderId);
    if (!mayOpen(order, input.asker)) throw notFound("order");
    requireWaiting(order);
    await save(trx, order);
  });
}

function saved(order: Order, answers: SignInAnswers): { signin: string; details: string } {
  const { signInProblem: _, ...details } = order.details;
  return { signin: JSON.stringify(answers), details: JSON.stringify(details) };
}

function requireWaiting(order: Order): void {
  if (order.fulfilmentStatus !== "waiting_for_signin") {
    throw new DomainError("conflict", "This order is already being set up.");
  }
}
