/**
 * Create Account: the order learns who buys. A visitor with an unknown email gets an account and is signed in; one whose
 * email is known is asked to log in, with everything typed kept (DESIGN ruling 4).
 */
import type { AddressId, CustomerId, OrderId, UserId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import {
  type Address,
  addAddress,
  buyingRoles,
  createCustomer,
  getAddress,
  requireMember,
} from "#server/accounts/customers.ts";
import { createSession, type Session, type SessionUser } from "#server/accounts/sessions.ts";
import { accountExists, createUser, findUserByEmail } from "#server/accounts/users.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { queueMail } from "#server/mail/outbox.ts";
import { supersedeIntents } from "#server/payments/intents.ts";
import { networkOf } from "#server/security/network.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import { parseGstin, parsePan } from "#server/tax/gstin.ts";
import { findState } from "#server/tax/states.ts";
import { keepDetails, lockDraft } from "./draft.ts";
import type { Asker } from "./find.ts";
import { furthest, hasReached, moveOrder } from "./life.ts";
import type { AccountAnswers, Order } from "./order.ts";

export type AccountOutcome =
  | { outcome: "saved"; orderId: OrderId; session: Session | null }
  /** The email has an account: log in, or use another. */
  | { outcome: "exists" };

/** An order that there is, or one to be begun in the same transaction, so that a refusal leaves none behind. */
type WhichOrder =
  | { orderId: OrderId; begin?: never }
  | { orderId: null; begin: (trx: Trx) => Promise<OrderId> };

export type AccountInput = WhichOrder & {
  asker: Asker;
  user: SessionUser | null;
  answers: AccountAnswers;
  /** A saved address whose fields count instead of the posted ones. */
  addressId: AddressId | null;
  clientAddress: string;
};

/**
 * @throws DomainError bad_request with fields for answers that cannot be an address; conflict once paid; not_found for
 * another's order or address; forbidden for a viewer; rate_limited
 */
export async function postAccount(context: Context, input: AccountInput): Promise<AccountOutcome> {
  const { db, env } = context;
  const { user } = input;
  if (user !== null) {
    const orderId = await db.transaction().execute(async (trx) => {
      const order = await lockDraft(trx, await whichOrder(trx, input), input.asker);
      await saveAccount(trx, order, user.userId, user.customer, input);
      return order.id;
    });
    return { outcome: "saved", orderId, session: null };
  }

  const answers = checkAnswers(input.answers);
  await consumeRateLimit(db, {
    name: "check-user",
    key: networkOf(input.clientAddress),
    limit: 60,
    windowSeconds: 600,
  });
  if ((await findUserByEmail(db, answers.email)) !== null) return keepTyped(context, input, answers);
  try {
    const made = await db
      .transaction()
      .execute((trx) => makeAccount(trx, env.SESSION_SECRET, input, answers));
    return { outcome: "saved", ...made };
  } catch (error) {
    // Somebody made an account with this email since we looked: as above.
    if (!(error instanceof DomainError && error.fields?.email === accountExists)) throw error;
    return keepTyped(context, input, answers);
  }
}

function whichOrder(trx: Trx, { orderId, begin }: AccountInput): Promise<OrderId> {
  return orderId === null ? begin(trx) : Promise.resolve(orderId);
}

/** What was typed is kept with the order, over the way to the login and back. */
async function keepTyped(
  { db }: Context,
  { orderId, asker }: AccountInput,
  typed: AccountAnswers,
): Promise<AccountOutcome> {
  if (orderId !== null) {
    await db.transaction().execute((trx) => keepDetails(trx, { orderId, asker, details: { typed } }));
  }
  return { outcome: "exists" };
}

/** @throws DomainError conflict, on the field `email`, when it has an account after all */
async function makeAccount(
  trx: Trx,
  secret: string,
  input: AccountInput,
  answers: AccountAnswers,
): Promise<{ orderId: OrderId; session: Session }> {
  const order = await lockDraft(trx, await whichOrder(trx, input), input.asker);
  const userId = await createUser(trx, {
    email: answers.email,
    firstName: answers.firstName,
    lastName: answers.lastName,
    phone: answers.phoneNumber,
    password: null,
  });
  await saveAccount(trx, order, userId, null, input);
  await queueMail(trx, {
    kind: "set-password",
    dedupeKey: `set-password:${userId}`,
    recipient: answers.email,
    userId,
  });
  return { orderId: order.id, session: await createSession(trx, secret, userId) };
}

async function saveAccount(
  trx: Trx,
  order: Order,
  userId: UserId,
  customer: { id: CustomerId; name: string } | null,
  input: AccountInput,
): Promise<void> {
  if (!hasReached(order.stage, "stage1"))
    throw new DomainError("bad_request", "Please choose a subscription first.");
  if (customer !== null) await requireMember(trx, userId, customer.id, buyingRoles);
  const saved =
    input.addressId === null || customer === null
      ? null
      : await getAddress(trx, customer.id, input.addressId);
  const answers = checkAnswers({
    ...input.answers,
    ...(saved !== null && fieldsOf(saved)),
    // A company's name is fixed once it is a customer (SPEC section 6).
    ...(customer !== null && { companyName: customer.name }),
    country: order.country,
  });
  const customerId =
    customer?.id ??
    (await createCustomer(trx, { name: answers.companyName, country: order.country, ownerId: userId }));
  if (saved === null) {
    await addAddress(trx, customerId, {
      gstCode: answers.gst_code,
      addressLine1: answers.addressLine1,
      addressLine2: answers.addressLine2,
      city: answers.city,
      state: answers.state,
      pincode: answers.pincode,
      country: answers.country,
      organisationRegistrationNumber: answers.organisationRegistrationNumber,
      email: answers.email,
      firstName: answers.firstName,
      lastName: answers.lastName,
      phone: answers.phoneNumber,
    });
  }
  await supersedeIntents(trx, order.id);
  const { typed: _, ...details } = order.details;
  await moveOrder(trx, order, {
    stage: furthest(order.stage, "stage2"),
    payment_status: "none",
    terms_accepted_at: null,
    user_id: userId,
    customer_id: customerId,
    draft_key: null,
    account: JSON.stringify(answers),
    details: JSON.stringify(details),
  });
}

/** The fields of Create Account that a saved address fills. */
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

/**
 * What the register, the tax invoice and the provider will later demand, asked for now, while the buyer is at the form.
 * @throws DomainError bad_request naming every field that does not hold
 */
function checkAnswers(answers: AccountAnswers): AccountAnswers {
  const fields: Record<string, string> = {};
  const state = findState(answers.country, answers.state);
  if (state === null) fields.state = "Please enter valid state";
  const pincode = answers.country === "IN" ? /^[1-9]\d{5}$/ : /^\d{5}(-\d{4})?$/;
  if (!pincode.test(answers.pincode)) fields.pincode = "Please enter valid pincode";
  const registration = answers.organisationRegistrationNumber;
  const known = parseGstin(registration)?.value ?? parsePan(registration);
  if (answers.country === "IN" && known === null) {
    fields.organisationRegistrationNumber = "Please enter valid GST or PAN";
  }
  const gstin = answers.gst_code === null ? null : parseGstin(answers.gst_code);
  if (answers.gst_code !== null && gstin === null) fields.gst_code = "Please enter a valid GST number";
  // A tax invoice with the GSTIN of one state and the address of another is none (PROVIDERS section 4, place of supply).
  const registeredIn = (gstin ?? parseGstin(registration))?.state ?? null;
  if (registeredIn !== null && state !== null && registeredIn.name !== state.name) {
    fields.state = `This GST number is registered in ${registeredIn.name}`;
  }
  if (Object.keys(fields).length > 0)
    throw new DomainError("bad_request", "Please check the address.", { fields });
  return {
    ...answers,
    state: state?.name ?? answers.state,
    organisationRegistrationNumber: known ?? registration,
    gst_code: gstin?.value ?? (parseGstin(registration)?.value || null),
  };
}
