/**
 * Create Account: the order learns who buys. A visitor with an unknown email gets an account and is logged in. A visitor
 * with a known email is asked to log in, and everything typed is kept (docs/decisions/checkout-account.md).
 */

import type { Address, AddressFields } from "#db/customers.ts";
import { type AddressId, type CustomerId, type OrderId, parseId, type UserId } from "#db/ids.ts";
import type { AccountAnswers, Order, Place } from "#db/order.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { correctAddress, listOrderIdsOf, renameCustomer } from "#db/unpaid-accounts.ts";
import { recordConsent } from "#server/accounts/consents.ts";
import {
  addAddress,
  buyingRoles,
  createCustomer,
  getAddress,
  listAddresses,
  requireMember,
} from "#server/accounts/customers.ts";
import { askRegister } from "#server/accounts/gst-lookup.ts";
import { isSameEmail } from "#server/accounts/invites.ts";
import { requireOneEntity } from "#server/accounts/one-entity.ts";
import { createSession, handOver, type Session, type SessionUser } from "#server/accounts/sessions.ts";
import { createUser, EmailTaken, findUserByEmail } from "#server/accounts/users.ts";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/env.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { queueMail } from "#server/outbox/mail.ts";
import { networkOf } from "#server/security/network.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import { inGoodForm, problemsOf } from "./account-rules.ts";
import { takeBackPayments } from "./begun-payments.ts";
import { checkBuyer, isCheckedAlready } from "./buyer-check.ts";
import { claimDraft, keepDetails, lockDraft, mayOrder } from "./draft.ts";
import { type Asker, findOrder, lockOrder, mayOpen } from "./find.ts";
import { furthest, hasReached, moveOrder } from "./life.ts";
import { correctAccount, lockMadeBy, type Made, madeBy, takeBack } from "./made.ts";
import { isPaid } from "./order.ts";
import { type SellersByCountry, taxedNow } from "./supply.ts";

/** The answers of a buyer who has given none. Phone code, country and tax state have no empty value and are left out. */
export const unanswered: Omit<AccountAnswers, "phoneCode" | "country" | "gst_code"> = {
  companyName: "",
  email: "",
  firstName: "",
  lastName: "",
  phoneNumber: "",
  addressLine1: "",
  addressLine2: "",
  city: "",
  state: "",
  pincode: "",
  organisationRegistrationNumber: "",
};

export type AccountOutcome =
  | { outcome: "saved"; orderId: OrderId; session: Session | null }
  /** The email has an account: the buyer logs in, or uses another one. */
  | { outcome: "exists" }
  /** The vendor would write the address otherwise: the buyer chooses. */
  | { outcome: "unsure"; suggestions: Place[] };

/** An existing order, or one begun in the same transaction so that a refusal leaves none behind. */
type WhichOrder =
  | { orderId: OrderId; begin?: never }
  | { orderId: null; family: FamilyId; begin: (trx: Trx) => Promise<OrderId> };

export type AccountInput = WhichOrder & {
  asker: Asker;
  user: SessionUser | null;
  answers: AccountAnswers;
  /** A saved address that replaces the posted fields. */
  addressId: AddressId | null;
  /** The buyer has chosen how the address is written. */
  keepAddress: boolean;
  clientAddress: string;
};

/**
 * @throws DomainError bad_request with fields for an address that is invalid, or that the vendor does not know; conflict
 * once paid; not_found for another's order or address; forbidden for a viewer; rate_limited
 */
export async function postAccount(context: Context, input: AccountInput): Promise<AccountOutcome> {
  const { db, env } = context;
  const { user } = input;
  const answers = user === null ? checkAnswers(input.answers) : input.answers;
  if (user === null || (await asksForAnotherEmail(db, input, user))) {
    await consumeRateLimit(db, {
      name: "check-user",
      key: networkOf(input.clientAddress),
      limit: 60,
      windowSeconds: 600,
    });
    if ((await findUserByEmail(db, answers.email)) !== null) return exists(context, input, answers);
  }
  const { suggestions, asked } = await askVendor(context, input);
  if (suggestions.length > 0) {
    await keepTyped(context, input, asked, suggestions);
    return { outcome: "unsure", suggestions };
  }
  // Outside the transaction: no lock is held while the register is waited for.
  await askRegister(context, asked, input.clientAddress);
  try {
    return await db.transaction().execute(async (trx) => {
      const order = await lockDraft(trx, await whichOrder(trx, input), input.asker);
      if (user === null) {
        return { outcome: "saved", ...(await makeAccount(trx, env, order, input, answers)) };
      }
      const made = await lockMadeBy(trx, order);
      const buyer = { userId: user.userId, customer: user.customer, made };
      if (input.addressId === null) await requireOwnEntity(trx, order, buyer, input.answers);
      const saved = await saveAccount(trx, env.sellers, order, buyer, input);
      if (made.userId === user.userId) await correctAccount(trx, order, user.userId, saved.answers);
      return { outcome: "saved", orderId: order.id, session: null };
    });
  } catch (error) {
    // Somebody has made an account with this email since the check above.
    if (!(error instanceof EmailTaken)) throw error;
    return exists(context, input, answers);
  }
}

/**
 * An address that is new to a company has to be of the same legal entity. One that this order makes is not compared.
 * @throws DomainError as requireOneEntity
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
  requireOneEntity(addressIn(inGoodForm({ ...answers, country })), others);
}

/**
 * What the vendor would write otherwise, and of which answers. Answers that will be refused without it are not shown to
 * the vendor, nor is an order that is not the asker's to change.
 * @throws DomainError as checkBuyer; not_found for another's address
 */
async function askVendor(
  context: Context,
  input: AccountInput,
): Promise<{ suggestions: Place[]; asked: AccountAnswers }> {
  const { db } = context;
  const { answers, asker, user, addressId, clientAddress } = input;
  const nothing = { suggestions: [], asked: answers };
  const order = input.orderId === null ? null : await findOrder(db, input.orderId);
  const family = input.orderId === null ? input.family : order?.family;
  const isTheirs = order === null || (mayOpen(order, asker) && mayOrder(asker) && !isPaid(order));
  if (family === undefined || !isTheirs) return nothing;
  const saved =
    addressId === null || user === null || user.customer === null
      ? null
      : await getAddress(db, user.customer.id, addressId);
  const given = {
    ...answers,
    ...(saved !== null && fieldsOf(saved)),
    ...(order !== null && { country: order.country }),
  };
  if (Object.keys(problemsOf(given)).length > 0) return nothing;
  const asked = inGoodForm(given);
  if (order !== null && isCheckedAlready(order, asked)) return nothing;
  const suggestions = await checkBuyer(context, { family, account: asked, clientAddress });
  return { suggestions: input.keepAddress ? [] : suggestions, asked };
}

/**
 * Whether the order's own account would move to another email. Limited more strictly than a visitor's check, because each
 * change of email sends a mail.
 * @throws DomainError rate_limited
 */
async function asksForAnotherEmail(
  db: Db,
  { orderId, answers }: AccountInput,
  user: SessionUser,
): Promise<boolean> {
  const order = orderId === null ? null : await findOrder(db, orderId);
  if (order === null || isSameEmail(user.email, answers.email)) return false;
  if ((await madeBy(db, order)).userId !== user.userId) return false;
  await consumeRateLimit(db, { name: "correct-email", key: user.userId, limit: 10, windowSeconds: 3_600 });
  return true;
}

function whichOrder(trx: Trx, { orderId, begin }: AccountInput): Promise<OrderId> {
  return orderId === null ? begin(trx) : Promise.resolve(orderId);
}

async function exists(context: Context, input: AccountInput, typed: AccountAnswers): Promise<AccountOutcome> {
  await keepTyped(context, input, typed, []);
  return { outcome: "exists" };
}

/** Stores what was typed with the order, so that it is still there after the login or the choice of an address. */
async function keepTyped(
  { db }: Context,
  { orderId, asker }: AccountInput,
  typed: AccountAnswers,
  suggestions: Place[],
): Promise<void> {
  if (orderId === null) return;
  const details = { typed, suggestions };
  await db.transaction().execute((trx) => keepDetails(trx, { orderId, asker, details }));
}

/** @throws DomainError conflict, on the field `email`, when it has an account after all */
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
    ...(input.asker.language !== undefined && { language: input.asker.language }),
  });
  await recordConsent(trx, {
    userId,
    orderId: null,
    text: "privacy",
    language: input.asker.language ?? null,
    at: new Date(),
  });
  const buyer = { userId, customer: null, made: { userId, customerId: null } };
  await saveAccount(trx, sellers, order, buyer, input);
  await queueMail(trx, {
    kind: "set-password",
    dedupeKey: `set-password:${userId}`,
    recipient: answers.email,
    userId,
    // Nothing else tells yet in which country the buyer is, and so who signs.
    orderId: order.id,
  });
  const session = await createSession(trx, secrets, userId);
  if (input.asker.draftKey !== null) await handOver(trx, session, input.asker.draftKey);
  return { orderId: order.id, session };
}

/** The buyer an order is saved for, and which of the user and company the order has made. */
interface Buyer {
  userId: UserId;
  customer: { id: CustomerId; name: string } | null;
  made: Made;
}

/** @returns the answers as stored, and the company they are stored for */
async function saveAccount(
  trx: Trx,
  sellers: SellersByCountry,
  order: Order,
  { userId, customer, made }: Buyer,
  input: Pick<AccountInput, "answers" | "addressId">,
): Promise<{ answers: AccountAnswers; customerId: CustomerId }> {
  if (!hasReached(order.stage, "stage1")) throw new DomainError("bad_request", told("refusals.noSelection"));
  if (customer !== null) await requireMember(trx, userId, customer.id, buyingRoles);
  const isOwnCompany = customer !== null && made.customerId === customer.id;
  const saved =
    input.addressId === null || customer === null
      ? null
      : await getAddress(trx, customer.id, input.addressId);
  const answers = checkAnswers({
    ...input.answers,
    ...(saved !== null && fieldsOf(saved)),
    // A customer's name is fixed. A company that this order has made is not a customer yet.
    ...(customer !== null && !isOwnCompany && { companyName: customer.name }),
    country: order.country,
  });
  if (isOwnCompany) await renameCustomer(trx, customer.id, answers.companyName);
  const customerId =
    customer?.id ??
    (await createCustomer(trx, { name: answers.companyName, country: order.country, ownerId: userId }));
  const ownAddress = parseId<AddressId>(order.details.made?.addressId);
  const addressId =
    saved === null ? await saveAddress(trx, customerId, ownAddress, addressIn(answers)) : ownAddress;
  await takeBackPayments(trx, order.id);
  const { typed: _, suggestions: __, ...details } = order.details;
  // Who buys decides how the supply is taxed.
  const { supply, figures } = await taxedNow(trx, sellers, order, answers, new Date());
  await moveOrder(trx, order, {
    stage: furthest(order.stage, "stage2"),
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
 * Gives an order to the user who has just logged in from the same browser. It is a visitor's draft, or an order that made
 * an account with an email that is not the buyer's. That account's other unpaid orders move along, and the account is
 * deleted.
 * @param input.before who used the browser until now
 * @throws DomainError not_found when the order was not theirs to give; forbidden for a viewer
 */
export async function claimOrder(
  trx: Trx,
  sellers: SellersByCountry,
  input: { orderId: OrderId; before: Asker; user: Pick<SessionUser, "userId" | "customer"> },
): Promise<void> {
  const { orderId, before, user } = input;
  const order = await lockOrder(trx, orderId);
  if (order.userId === null || order.userId === user.userId) {
    return claimDraft(trx, { orderId, asker: { ...before, userId: user.userId, customer: user.customer } });
  }
  const made = order.userId === before.userId ? await lockMadeBy(trx, order) : null;
  if (made === null || made.userId === null) throw notFound("order");
  let { customer }: Pick<Buyer, "customer"> = user;
  for (const id of await listOrderIdsOf(trx, made.userId)) {
    const own = await lockOrder(trx, id);
    if (own.kind !== "NEW" || own.account === null) continue;
    const answers = { ...own.account, ...own.details.typed };
    // What the order has made is dropped, because it goes with the account the order leaves.
    const { made: _, ...details } = own.details;
    const buyer = { userId: user.userId, customer, made: { userId: null, customerId: null } };
    const saved = await saveAccount(trx, sellers, { ...own, details }, buyer, { answers, addressId: null });
    customer ??= { id: saved.customerId, name: saved.answers.companyName };
  }
  await takeBack(trx, made);
}

/** @returns the address if this order has made it: an address that was saved before is not changed later */
async function saveAddress(
  trx: Trx,
  customerId: CustomerId,
  own: AddressId | null,
  fields: AddressFields,
): Promise<AddressId | null> {
  if (own !== null && (await correctAddress(trx, customerId, own, fields))) return own;
  const before = await listAddresses(trx, customerId);
  const { id } = await addAddress(trx, customerId, fields);
  return before.some((address) => address.id === id) ? null : id;
}

/** The answers of Create Account that a saved address fills. */
export function fieldsOf(address: Address): Partial<AccountAnswers> {
  return {
    gst_code: address.gstCode,
    addressLine1: address.addressLine1,
    addressLine2: address.addressLine2,
    city: address.city,
    state: address.state,
    pincode: address.pincode,
    country: address.country,
    organisationRegistrationNumber: address.organisationRegistrationNumber,
    email: address.email,
    firstName: address.firstName,
    lastName: address.lastName,
    phoneNumber: address.phone,
  };
}

/** The place among the answers. */
export function addressIn(answers: AccountAnswers): AddressFields {
  const { gst_code: gstCode, phoneNumber: phone, companyName: _, phoneCode: __, ...address } = answers;
  return { ...address, gstCode, phone };
}

/** @throws DomainError bad_request naming every invalid field */
function checkAnswers(answers: AccountAnswers): AccountAnswers {
  const fields = problemsOf(answers);
  if (Object.keys(fields).length > 0)
    throw new DomainError("bad_request", told("fields.address"), { fields });
  return inGoodForm(answers);
}
