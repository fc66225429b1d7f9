/**
 * Amendments by staff to a paid order that is not fulfilled: the buyer's address and contact, the name of a new tenant and its
 * user, and the destination. Nothing changes once the vendor has the details, or while a worker processes the order.
 */
import { deleteCredentials } from "#db/accounts/credentials.ts";
import { findTenant } from "#db/accounts/tenants.ts";
import type { OrderId, TenantId } from "#db/ids.ts";
import type { AccountAnswers, Order, SignInAnswers } from "#db/orders/order.ts";
import { mayHaveTakenEffect } from "#db/platform/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import type { NewTenantRules, OrderAnswerGroup } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { usernamePattern } from "#server/catalogue/families/sign-in.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError, sentences, wrongField } from "#server/foundation/errors.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { normaliseTaxAddress, problemsOf } from "#server/orders/account-rules.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isFullyReturned, isPaid } from "#server/orders/payment-state.ts";
import type { Context } from "#server/platform/context.ts";
import { withSignInProblem } from "./buyer-notes.ts";
import { isTakenElsewhere } from "./control-proof.ts";
import { enterTenant, otherTenants } from "./enter-tenant.ts";

/** Returns the reason, as a sentence, why staff cannot amend the order now; null when they can. */
function whyNotNow(order: Order): string | null {
  if (!isPaid(order)) return "This order isn't paid yet. The buyer can change this in the order steps.";
  if (isFullyReturned(order)) return "This order was refunded, so nothing can be bought for it.";
  switch (order.fulfilmentStatus) {
    case "done":
      return "This order is already fulfilled.";
    case "running":
      return "This order is in progress. You can change it if it stops.";
    default:
      return null;
  }
}

/** Whether the order goes into an existing tenant. */
const entersAccount = ({ tenantId, subscriptionId, parentSubscriptionId, signIn }: Order) =>
  tenantId !== null ||
  subscriptionId !== null ||
  parentSubscriptionId !== null ||
  signIn?.mode === "existing";

/** Returns the reason, as a sentence, why a group of the order's answers cannot be amended now; null when it can. */
export async function whyNotChanged(db: Db, order: Order, part: OrderAnswerGroup): Promise<string | null> {
  const why = whyNotNow(order);
  if (why !== null) return why;
  const { label, tellsVendor } = families[order.family];
  if (order.account === null) return "The buyer hasn't entered their details yet.";
  if (part !== "contact" && entersAccount(order))
    return `This order goes to an existing account, so ${label} doesn't use these details.`;
  if (part === "tenantName" && newAccount(order) === null)
    return "This order creates no new account, or the buyer hasn't chosen its name yet.";
  if (part === "username" && usernameOf(order) === null)
    return "This order creates no user, or the buyer hasn't chosen a username yet.";
  if (await mayHaveTakenEffect(db, order.id, tellsVendor[part]))
    return `${label} already has these details. Change them there.`;
  return null;
}

/** Returns the name of the tenant that an order creates, and the rules for it; null when it creates none by name. */
function newAccount({ family, signIn }: Order): { prefix: string; rules: NewTenantRules } | null {
  const rules = families[family].tenants?.newByName ?? null;
  return rules === null || signIn?.mode !== "new" ? null : { prefix: signIn.prefix, rules };
}

export function prefixOf(order: Order): string | null {
  return newAccount(order)?.prefix ?? null;
}

export function usernameOf({ signIn }: Pick<Order, "signIn">): string | null {
  return signIn !== null && "username" in signIn && signIn.mode !== "existing" ? signIn.username : null;
}

type AddressField = "addressLine1" | "addressLine2" | "city" | "pincode" | "organisationRegistrationNumber";
type ContactField = "firstName" | "lastName" | "email" | "phoneCode" | "phoneNumber";
export type AddressAmendment = Pick<AccountAnswers, AddressField>;
export type ContactAmendment = Pick<AccountAnswers, ContactField>;

/**
 * Changes the buyer's address. State, country and GSTIN stay, because the invoice was issued with them.
 * @throws DomainError bad_request with the fields that the country's rules or the vendor refuse; conflict when it is too late
 */
export async function amendAddress(
  context: Context,
  orderId: OrderId,
  changes: AddressAmendment,
  by: AuditContext,
): Promise<void> {
  await changeAccount(context, orderId, { part: "address", changes }, by);
}

/** Changes the contact for the vendor and for our mails. @throws DomainError as amendAddress */
export async function amendContact(
  context: Context,
  orderId: OrderId,
  changes: ContactAmendment,
  by: AuditContext,
): Promise<void> {
  await changeAccount(context, orderId, { part: "contact", changes }, by);
}

type AccountChange =
  | { part: "address"; changes: AddressAmendment }
  | { part: "contact"; changes: ContactAmendment };

async function changeAccount(
  context: Context,
  orderId: OrderId,
  { part, changes }: AccountChange,
  by: AuditContext,
): Promise<void> {
  const { db } = context;
  const wanted = (account: AccountAnswers) => normaliseTaxAddress({ ...account, ...changes });
  const order = await findOrder(db, orderId);
  const amended = order === null || order.account === null ? null : wanted(order.account);
  // Outside the transaction, so that no lock is held while waiting for the vendor.
  if (order !== null && amended !== null && (await whyNotChanged(db, order, part)) === null) {
    const known = order.account === null ? {} : problemsOf(order.account);
    // Earlier problems in fields that the form does not have must not keep staff from changing the rest.
    const problems = Object.entries(problemsOf(amended)).filter(
      ([field]) => field in changes || !(field in known),
    );
    requireGood(Object.fromEntries(problems), changes);
    const verdict = await forOrder(orderId, () => families[order.family].checkBuyer(context, amended));
    if (verdict.verdict === "refused") requireGood(verdict.fields, changes);
  }
  await db.transaction().execute(async (trx) => {
    const locked = await requireChangeable(trx, orderId, part);
    if (locked.account === null) throw new RangeError("A paid order says who buys");
    const account = wanted(locked.account);
    await moveOrder(trx, locked, { account });
    await recordAudit(trx, {
      userId: null,
      staffId: by.staffId,
      action: `order.${part}`,
      subject: `order:${orderId}`,
      data: { reason: by.reason, by: by.by, ...beforeAndAfter(locked.account, account) },
    });
  });
}

/**
 * Refuses an amendment with problems. @throws DomainError bad_request at the form's fields, or else with the problems of other
 * fields as text
 */
function requireGood(problems: Readonly<Record<string, MessageDescriptor>>, amended: object): void {
  const [first, ...others] = Object.entries(problems);
  if (first === undefined) return;
  const ofForm = [first, ...others].filter(([field]) => field in amended);
  if (ofForm.length > 0)
    throw new DomainError("bad_request", first[1], { fields: Object.fromEntries(ofForm) });
  throw new DomainError("bad_request", sentences(first[1], ...others.map(([, message]) => message)));
}

/** Formats the changed fields with their old and new values. */
function beforeAndAfter(before: AccountAnswers, after: AccountAnswers): { before: string; after: string } {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => old.get(name) !== value);
  const said = (of: (name: string, value: unknown) => unknown) =>
    changed.map(([name, value]) => `${name}: ${String(of(name, value))}`).join("; ");
  return { before: said((name) => old.get(name)), after: said((_name, value) => value) };
}

/**
 * Changes the name of the tenant that a paid order creates.
 * @throws DomainError bad_request or provider_unavailable at the field `prefix`; conflict when it is too late
 */
export async function amendTenantName(
  context: Context,
  orderId: OrderId,
  prefix: string,
  by: AuditContext,
): Promise<void> {
  const order = await findOrder(context.db, orderId);
  const made = order === null ? null : newAccount(order);
  if (order !== null && made !== null && (await whyNotChanged(context.db, order, "tenantName")) === null) {
    if (!made.rules.pattern.test(prefix))
      throw wrongField("prefix", "Use up to 27 lower-case letters and digits.");
    await forOrder(orderId, () => made.rules.requireFree(context, prefix, order.country, by.by));
  }
  await changeSignIn(context, orderId, "tenantName", by, (signIn) =>
    signIn.mode === "new" ? { ...signIn, prefix } : signIn,
  );
}

/**
 * Changes the name of the user that a paid order creates. The password stays.
 * @throws DomainError bad_request at the field `username`; conflict when it is too late
 */
export async function amendUsername(
  context: Context,
  orderId: OrderId,
  username: string,
  by: AuditContext,
): Promise<void> {
  if (!usernamePattern.test(username))
    throw wrongField("username", "Use up to 63 letters, digits, dots, hyphens and underscores.");
  await changeSignIn(context, orderId, "username", by, (signIn) =>
    "username" in signIn && signIn.mode !== "existing" ? { ...signIn, username } : signIn,
  );
}

async function changeSignIn(
  context: Context,
  orderId: OrderId,
  part: "tenantName" | "username",
  by: AuditContext,
  change: (signIn: SignInAnswers) => SignInAnswers,
): Promise<void> {
  const said = (order: Pick<Order, "signIn">) =>
    [usernameOf(order), order.signIn !== null && "prefix" in order.signIn ? order.signIn.prefix : null]
      .filter((each) => each !== null)
      .join(", ");
  await context.db.transaction().execute(async (trx) => {
    const order = await requireChangeable(trx, orderId, part);
    if (order.signIn === null) throw new RangeError("What is changed has been answered");
    const signIn = change(order.signIn);
    const kept = await readCredentials(context, trx, orderId, "sign-in");
    if (kept !== null && "username" in signIn) {
      const { password, username: before } = kept;
      const domain = before.split("@")[1] ?? "";
      await deleteCredentials(trx, orderId, ["sign-in"]);
      const username = `${signIn.username}@${domain}`;
      await storeCredentials(context, trx, orderId, "sign-in", { username, password });
    }
    await moveOrder(trx, order, { signIn, ...withSignInProblem(order, undefined) });
    await recordAudit(trx, {
      userId: null,
      staffId: by.staffId,
      action: part === "username" ? "order.username" : "order.tenant-name",
      subject: `order:${orderId}`,
      data: { reason: by.reason, by: by.by, before: said(order), after: said({ signIn }) },
    });
  });
}

/** Locks an order that can be amended. @throws DomainError conflict */
async function requireChangeable(trx: Trx, orderId: OrderId, part: OrderAnswerGroup): Promise<Order> {
  const order = await lockOrder(trx, orderId);
  const why = await whyNotChanged(trx, order, part);
  if (why !== null) throw new DomainError("conflict", why);
  return order;
}

/** Returns the reason, as a sentence, why an order cannot go into another tenant of its company; null when it can. */
export async function whyNotMoved(db: Db, order: Order): Promise<string | null> {
  const why = whyNotNow(order);
  if (why !== null) return why;
  const { label, tenants } = families[order.family];
  if (tenants === null) return `${label} doesn't use accounts.`;
  if (order.kind !== "NEW" && order.kind !== "TUP")
    return "This order belongs to a subscription, so it goes to that subscription's account.";
  if (await mayHaveTakenEffect(db, order.id))
    return `${label} may already have processed it. Check there, and cancel it if so.`;
  return (await otherTenants(db, order)).length > 0 ? null : "The company has no other verified account.";
}

/**
 * Moves a paid order to another tenant of its company, and queues its fulfilment.
 * @param move.proof evidence of the buyer's wish, for the audit log
 * @throws DomainError bad_request for a tenant that it cannot go into; conflict when it is too late
 */
export async function moveToTenant(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  { tenantId, proof }: { tenantId: TenantId; proof: string },
  by: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const why = await whyNotMoved(trx, order);
    if (why !== null) throw new DomainError("conflict", why);
    const to = (await otherTenants(trx, order)).find(({ id }) => id === tenantId);
    if (to === undefined) throw wrongField("tenant", "The order may not go into that account.");
    const { family, customerId } = order;
    if (customerId === null) throw new RangeError("A paid order has a company");
    const claim = { customerId, family, tenantExternalId: to.externalId };
    if (await isTakenElsewhere(trx, claim, order))
      throw wrongField(
        "tenant",
        "That account is also linked to another company here. Find out who owns it first.",
      );
    const from = order.tenantId === null ? null : await findTenant(trx, order.tenantId);
    await enterTenant(trx, order, to);
    await recordAudit(trx, {
      userId: null,
      staffId: by.staffId,
      action: "order.move",
      subject: `order:${orderId}`,
      data: {
        reason: by.reason,
        by: by.by,
        proof,
        before: from?.domain ?? signInSaid(order),
        after: to.domain,
      },
    });
  });
}

function signInSaid(order: Order): string {
  const { signIn, details } = order;
  if (signIn?.mode === "existing") return signIn.username;
  const made = newAccount(order);
  return made === null ? (details.google?.domain ?? "none yet") : `${made.prefix}${made.rules.suffix}`;
}
