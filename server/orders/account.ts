/**
 * Create Account: adds the buyer to the order. A visitor with an unknown email gets an account and is logged in. A visitor
 * with a known email is asked to log in, and everything typed is kept (docs/decisions/orders.md#checkout-account).
 */

import type { AddressFields } from "#db/accounts/customers.ts";
import {
  listOrderIdsOf,
  renameCustomer,
  updateProvisionalAddress,
} from "#db/accounts/provisional-accounts.ts";
import { lockUser } from "#db/accounts/users.ts";
import { type AddressId, type CustomerId, type OrderId, parseId, type UserId } from "#db/ids.ts";
import type { AccountAnswers, Order, PlaceOfBusiness } from "#db/orders/order.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordConsent } from "#server/accounts/consents.ts";
import {
  addAddress,
  buyingRoles,
  createCustomer,
  currentMembership,
  getAddress,
  listAddresses,
  requireMember,
} from "#server/accounts/customers.ts";
import { isSellersNumber, queryGstRegister } from "#server/accounts/gst-lookup.ts";
import { isSameEmail } from "#server/accounts/invites.ts";
import { requireSameLegalEntity } from "#server/accounts/legal-entity.ts";
import {
  createSession,
  markSessionForPickUp,
  type Session,
  type SessionUser,
} from "#server/accounts/sessions.ts";
import { countMailTo } from "#server/accounts/third-party-mail.ts";
import { createUser, EmailTaken, findUserByEmail } from "#server/accounts/users.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { addressOfAnswers, answersFromAddress } from "./account-answers.ts";
import { normaliseTaxAddress, problemsOf } from "./account-rules.ts";
import { checkBuyer, wasAlreadyChecked } from "./buyer-check.ts";
import { claimDraft, lockDraft, mayOrder, savePartialAnswers } from "./draft.ts";
import { findOrder, lockOrder, mayOpenOrder, type Requester } from "./find.ts";
import { furthestStage, hasReached, moveOrder } from "./order-lifecycle.ts";
import { isPaid } from "./payment-state.ts";
import {
  deleteProvisionalAccount,
  findProvisionalAccount,
  lockProvisionalAccount,
  type ProvisionalAccount,
  updateProvisionalAccount,
} from "./provisional-account.ts";
import { supersedePayments } from "./superseded-payments.ts";
import { computeTaxNow, type SellersByCountry } from "./supply.ts";

export type AccountOutcome =
  | { outcome: "saved"; orderId: OrderId; session: Session | null }
  /** The email has an account: the buyer logs in, or uses another email. */
  | { outcome: "exists" }
  /** The vendor spells the address otherwise: the buyer chooses. */
  | { outcome: "suggestions"; suggestions: PlaceOfBusiness[] };

/** An existing order, or one begun in the same transaction, so that a refusal leaves no order behind. */
type WhichOrder =
  | { orderId: OrderId; begin?: never }
  | { orderId: null; family: FamilyId; begin: (trx: Trx) => Promise<OrderId> };

export type AccountInput = WhichOrder & {
  requester: Requester;
  user: SessionUser | null;
  answers: AccountAnswers;
  /** A saved address that replaces the posted fields. */
  addressId: AddressId | null;
  /** Whether the buyer has chosen how to spell the address. */
  keepAddress: boolean;
  clientAddress: string;
};

/**
 * Saves the answers of Create Account with the order.
 * @throws DomainError bad_request with fields for an address that is invalid or unknown to the vendor; conflict once paid;
 * not_found for another's order or address; forbidden for a viewer; rate_limited
 */
export async function submitAccount(context: Context, input: AccountInput): Promise<AccountOutcome> {
  const { db, env } = context;
  const { user } = input;
  const answers = user === null ? checkAnswers(env.sellers, input.answers) : input.answers;
  if (user === null || (await asksForAnotherEmail(db, input, user))) {
    await consumeRateLimit(db, {
      name: "check-user",
      key: networkOf(input.clientAddress),
      limit: 60,
      windowSeconds: 600,
    });
    if ((await findUserByEmail(db, answers.email)) !== null) return exists(context, input, answers);
  }
  const { suggestions, answers: request } = await askVendor(context, input);
  if (suggestions.length > 0) {
    await keepTyped(context, input, request, suggestions);
    return { outcome: "suggestions", suggestions };
  }
  // Outside the transaction, so that no lock is held while waiting for the register.
  await queryGstRegister(context, request, input.clientAddress);
  try {
    return await db.transaction().execute(async (trx) => {
      // Before reading the membership, so that the second of two tabs finds the company that the first created.
      if (user !== null) await lockUser(trx, user.userId);
      const order = await lockDraft(trx, await whichOrder(trx, input), input.requester);
      if (user === null) {
        return { outcome: "saved", ...(await makeAccount(trx, env, order, input, answers)) };
      }
      const made = await lockProvisionalAccount(trx, order);
      const buyer = { userId: user.userId, customer: await currentMembership(trx, user), made };
      if (input.addressId === null) await requireOwnEntity(trx, order, buyer, input.answers);
      const saved = await saveAccount(trx, env.sellers, order, buyer, input);
      if (made.userId === user.userId) await updateProvisionalAccount(trx, order, user.userId, saved.answers);
      return { outcome: "saved", orderId: order.id, session: null };
    });
  } catch (error) {
    // Another request created an account with this email since the check above.
    if (!(error instanceof EmailTaken)) throw error;
    return exists(context, input, answers);
  }
}

/**
 * Requires that a new address of a company belongs to the same legal entity. Addresses created by this order are not compared.
 * @throws DomainError as requireSameLegalEntity
 */
async function requireOwnEntity(
  trx: Trx,
  { country, details }: Order,
  { customer, made }: Buyer,
  answers: AccountAnswers,
): Promise<void> {
  if (customer === null || customer.id === made.customerId) return;
  const places = await listAddresses(trx, customer.id);
  const others = places.filter(({ id }) => id !== details.made?.addressId);
  requireSameLegalEntity(addressOfAnswers(normaliseTaxAddress({ ...answers, country })), others);
}

/**
 * Returns the vendor's suggestions for the address, and the answers that they are for. Skips the vendor for invalid answers and
 * for orders that the requester must not change.
 * @throws DomainError as checkBuyer; not_found for another's address
 */
async function askVendor(
  context: Context,
  input: AccountInput,
): Promise<{ suggestions: PlaceOfBusiness[]; answers: AccountAnswers }> {
  const { db } = context;
  const { answers, requester, user, addressId, clientAddress } = input;
  const nothing = { suggestions: [], answers: answers };
  const order = input.orderId === null ? null : await findOrder(db, input.orderId);
  const family = input.orderId === null ? input.family : order?.family;
  const isTheirs =
    order === null || (mayOpenOrder(order, requester) && mayOrder(requester) && !isPaid(order));
  if (family === undefined || !isTheirs) return nothing;
  const saved =
    addressId === null || user === null || user.customer === null
      ? null
      : await getAddress(db, user.customer.id, addressId);
  const given = {
    ...answers,
    ...(saved !== null && answersFromAddress(saved)),
    ...(order !== null && { country: order.country }),
  };
  if (Object.keys(problemsOf(given)).length > 0) return nothing;
  const request = normaliseTaxAddress(given);
  if (order !== null && wasAlreadyChecked(order, request)) return nothing;
  const suggestions = await checkBuyer(context, { family, account: request, clientAddress });
  return { suggestions: input.keepAddress ? [] : suggestions, answers: request };
}

/**
 * Whether the provisional account of the order would get another email. The rate limit is stricter than a visitor's, because
 * each change of email sends a mail.
 * @throws DomainError rate_limited
 */
async function asksForAnotherEmail(
  db: Db,
  { orderId, answers }: AccountInput,
  user: SessionUser,
): Promise<boolean> {
  const order = orderId === null ? null : await findOrder(db, orderId);
  if (order === null || isSameEmail(user.email, answers.email)) return false;
  if ((await findProvisionalAccount(db, order)).userId !== user.userId) return false;
  await consumeRateLimit(db, { name: "correct-email", key: user.userId, limit: 10, windowSeconds: 3_600 });
  await countMailTo(db, answers.email);
  return true;
}

function whichOrder(trx: Trx, { orderId, begin }: AccountInput): Promise<OrderId> {
  return orderId === null ? begin(trx) : Promise.resolve(orderId);
}

async function exists(context: Context, input: AccountInput, typed: AccountAnswers): Promise<AccountOutcome> {
  await keepTyped(context, input, typed, []);
  return { outcome: "exists" };
}

/** Stores the typed answers with the order, so that they survive the login or the choice of an address. */
async function keepTyped(
  { db }: Context,
  { orderId, requester }: AccountInput,
  typed: AccountAnswers,
  suggestions: PlaceOfBusiness[],
): Promise<void> {
  if (orderId === null) return;
  const details = { typed, suggestions };
  await db.transaction().execute((trx) => savePartialAnswers(trx, { orderId, requester, details }));
}

/**
 * Creates an account for a new buyer and logs them in. @throws DomainError conflict, on the field `email`, when it has an
 * account by now
 */
async function makeAccount(
  trx: Trx,
  { SESSION_SECRETS: secrets, sellers }: Pick<Env, "SESSION_SECRETS" | "sellers">,
  order: Order,
  input: AccountInput,
  answers: AccountAnswers,
): Promise<{ orderId: OrderId; session: Session }> {
  const userId = await createUser(trx, {
    email: answers.email,
    firstName: answers.firstName,
    lastName: answers.lastName,
    phone: answers.phoneNumber,
    password: null,
    ...(input.requester.language !== undefined && { language: input.requester.language }),
  });
  await recordConsent(trx, {
    userId,
    orderId: null,
    text: "privacy",
    language: input.requester.language ?? null,
    at: new Date(),
  });
  const buyer = { userId, customer: null, made: { userId, customerId: null } };
  await saveAccount(trx, sellers, order, buyer, input);
  await queueOwnMail(trx, {
    kind: "set-password",
    dedupeKey: `set-password:${userId}`,
    userId,
    // Only the order shows the buyer's country yet, and so which seller signs the mail.
    orderId: order.id,
  });
  const session = await createSession(trx, secrets, userId);
  if (input.requester.draftKey !== null) await markSessionForPickUp(trx, session, input.requester.draftKey);
  return { orderId: order.id, session };
}

/** The buyer of an order, and the provisional user and company that the order created. */
interface Buyer {
  userId: UserId;
  customer: { id: CustomerId; name: string } | null;
  made: ProvisionalAccount;
}

/** Saves the answers with the order. @returns the answers as stored, and their company */
async function saveAccount(
  trx: Trx,
  sellers: SellersByCountry,
  order: Order,
  { userId, customer, made }: Buyer,
  input: Pick<AccountInput, "answers" | "addressId">,
): Promise<{ answers: AccountAnswers; customerId: CustomerId }> {
  if (!hasReached(order.stage, "stage1")) throw new DomainError("bad_request", msg("refusals.noSelection"));
  if (customer !== null) await requireMember(trx, userId, customer.id, buyingRoles);
  const isOwnCompany = customer !== null && made.customerId === customer.id;
  const saved =
    input.addressId === null || customer === null
      ? null
      : await getAddress(trx, customer.id, input.addressId);
  const answers = checkAnswers(sellers, {
    ...input.answers,
    ...(saved !== null && answersFromAddress(saved)),
    // A customer's name is fixed; a provisional company can still be renamed.
    ...(customer !== null && !isOwnCompany && { companyName: customer.name }),
    country: order.country,
  });
  if (isOwnCompany) await renameCustomer(trx, customer.id, answers.companyName);
  const customerId =
    customer?.id ??
    (await createCustomer(trx, { name: answers.companyName, country: order.country, ownerId: userId }));
  const ownAddress = parseId<AddressId>(order.details.made?.addressId);
  const addressId =
    saved === null ? await saveAddress(trx, customerId, ownAddress, addressOfAnswers(answers)) : ownAddress;
  await supersedePayments(trx, order.id);
  const { typed: _, suggestions: __, ...details } = order.details;
  // The tax depends on the buyer.
  const { supply, figures } = await computeTaxNow(trx, sellers, order, answers, new Date());
  await moveOrder(trx, order, {
    stage: furthestStage(order.stage, "stage2"),
    paymentStatus: "none",
    termsAcceptedAt: null,
    userId,
    customerId,
    draftKey: null,
    account: answers,
    figures,
    details: {
      ...details,
      supply,
      addressId: input.addressId ?? "",
      made: {
        userId: made.userId ?? undefined,
        customerId: customer === null || isOwnCompany ? customerId : undefined,
        addressId: addressId ?? undefined,
      },
    },
  });
  return { answers, customerId };
}

/**
 * Gives an order to the user who has just logged in from the same browser: a visitor's draft, or an order that created a
 * provisional account with another email. The other unpaid orders of that account move too, and it is deleted.
 * @param input.before the requester before the login
 * @throws DomainError not_found when the order was not theirs; forbidden for a viewer
 */
export async function claimOrder(
  trx: Trx,
  sellers: SellersByCountry,
  input: { orderId: OrderId; before: Requester; user: Pick<SessionUser, "userId" | "customer"> },
): Promise<void> {
  const { orderId, before, user } = input;
  await lockUser(trx, user.userId);
  const order = await lockOrder(trx, orderId);
  if (order.userId === null || order.userId === user.userId) {
    return claimDraft(trx, {
      orderId,
      requester: { ...before, userId: user.userId, customer: user.customer },
    });
  }
  const made = order.userId === before.userId ? await lockProvisionalAccount(trx, order) : null;
  if (made === null || made.userId === null) throw notFound("order");
  let customer: Buyer["customer"] = await currentMembership(trx, user);
  for (const id of await listOrderIdsOf(trx, made.userId)) {
    const own = await lockOrder(trx, id);
    if (own.kind !== "NEW" || own.account === null) continue;
    const answers = { ...own.account, ...own.details.typed };
    // Drop `made`: its rows belong to the account that the order leaves.
    const { made: _, ...details } = own.details;
    const buyer = { userId: user.userId, customer, made: { userId: null, customerId: null } };
    const saved = await saveAccount(trx, sellers, { ...own, details }, buyer, { answers, addressId: null });
    customer ??= { id: saved.customerId, name: saved.answers.companyName };
  }
  await deleteProvisionalAccount(trx, made);
}

/**
 * Saves the order's address. @returns its id if this order created it; null for an existing address, which the order must not
 * change
 */
async function saveAddress(
  trx: Trx,
  customerId: CustomerId,
  own: AddressId | null,
  fields: AddressFields,
): Promise<AddressId | null> {
  if (own !== null && (await updateProvisionalAddress(trx, customerId, own, fields))) return own;
  const before = await listAddresses(trx, customerId);
  const { id } = await addAddress(trx, customerId, fields);
  return before.some((address) => address.id === id) ? null : id;
}

/** Validates and normalises the answers. @throws DomainError bad_request naming every invalid field */
function checkAnswers(sellers: SellersByCountry, answers: AccountAnswers): AccountAnswers {
  const fields = problemsOf(answers);
  for (const name of ["organisationRegistrationNumber", "gst_code"] as const)
    if (isSellersNumber(sellers, answers[name])) fields[name] = msg("fields.ownGstin");
  if (Object.keys(fields).length > 0) throw new DomainError("bad_request", msg("fields.address"), { fields });
  return normaliseTaxAddress(answers);
}
