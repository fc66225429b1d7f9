/**
 * What staff may change of a paid order that has not been carried out: the buyer's address and contact, the name of a new account and its
 * user, and the account that it goes into. Nothing changes once the vendor has been told, and nothing while a worker is at it.
 */
import { deleteCredentials } from "#db/credentials.ts";
import { deleteFulfilment } from "#db/fulfilments.ts";
import type { OrderId, TenantId } from "#db/ids.ts";
import { moveInvitations } from "#db/invitations.ts";
import type { AccountAnswers, Order, SignInAnswers } from "#db/order.ts";
import { deleteUnfinishedSteps, mayHaveActed } from "#db/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findTenant, isHeldIn, listTenantsOf, type Tenant } from "#db/tenants.ts";
import { type Ordered, record } from "#server/accounts/audit.ts";
import type { Context } from "#server/context.ts";
import { readCredentials, storeCredentials } from "#server/credentials/credentials.ts";
import { DomainError, sentences, wrongField } from "#server/errors.ts";
import { domainOfCustomer, families, type NewTenantRules, type OrderPart } from "#server/families/family.ts";
import { usernamePattern } from "#server/families/sign-in.ts";
import type { Told } from "#server/languages/text.ts";
import { inGoodForm, problemsOf } from "#server/orders/account-rules.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { isGivenBack, isPaid } from "#server/orders/order.ts";
import { forOrder } from "#server/providers/for-order.ts";
import { isProven, isTakenElsewhere } from "./control.ts";
import { withNote, withSignInProblem } from "./note.ts";
import { queueFulfilment } from "./queue.ts";

/** Whether staff may change anything of an order that its buyer has answered; a sentence when they may not. */
function whyNotNow(order: Order): string | null {
  if (!isPaid(order)) return "It is not paid: its buyer changes this at the order's own steps.";
  if (isGivenBack(order)) return "Its money went back: nothing may be bought for it.";
  switch (order.fulfilmentStatus) {
    case "done":
      return "It has been carried out.";
    case "running":
      return "It is being carried out. It can be changed once it has stopped.";
    default:
      return null;
  }
}

/** Whether the order goes into an account that there is already. */
const entersAccount = ({ tenantId, subscriptionId, parentSubscriptionId, signIn }: Order) =>
  tenantId !== null ||
  subscriptionId !== null ||
  parentSubscriptionId !== null ||
  signIn?.mode === "existing";

/** Why a part of an order's answers cannot be changed now, in a sentence; null when it can. */
export async function whyNotChanged(db: Db, order: Order, part: OrderPart): Promise<string | null> {
  const why = whyNotNow(order);
  if (why !== null) return why;
  const { label, tellsVendor } = families[order.family];
  if (order.account === null) return "Nobody has said yet who buys.";
  if (part !== "contact" && entersAccount(order))
    return `It goes into an account that there is already: ${label} is not told this.`;
  if (part === "tenantName" && newAccount(order) === null)
    return "It makes no account whose name is chosen, or its buyer has not chosen one yet.";
  if (part === "username" && usernameOf(order) === null)
    return "It makes no user, or its buyer has not chosen one yet.";
  if (await mayHaveActed(db, order.id, tellsVendor[part]))
    return `${label} has been told already. Change it there.`;
  return null;
}

/** The name of the account that an order makes, and its rules; null for one that makes none by name. */
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
export type AddressChanges = Pick<AccountAnswers, AddressField>;
export type ContactChanges = Pick<AccountAnswers, ContactField>;

/**
 * Changes where the buyer is. State, country and GSTIN stay: the invoice was issued with them.
 * @throws DomainError bad_request with the fields that the country's rules or the vendor refuse; conflict when it is too late
 */
export async function changeAddress(
  context: Context,
  orderId: OrderId,
  changes: AddressChanges,
  by: Ordered,
): Promise<void> {
  await changeAccount(context, orderId, { part: "address", changes }, by);
}

/** Changes whom the vendor and our mails turn to. @throws DomainError as changeAddress does */
export async function changeContact(
  context: Context,
  orderId: OrderId,
  changes: ContactChanges,
  by: Ordered,
): Promise<void> {
  await changeAccount(context, orderId, { part: "contact", changes }, by);
}

type AccountChange =
  | { part: "address"; changes: AddressChanges }
  | { part: "contact"; changes: ContactChanges };

async function changeAccount(
  context: Context,
  orderId: OrderId,
  { part, changes }: AccountChange,
  by: Ordered,
): Promise<void> {
  const { db } = context;
  const wanted = (account: AccountAnswers) => inGoodForm({ ...account, ...changes });
  const order = await findOrder(db, orderId);
  const asked = order === null || order.account === null ? null : wanted(order.account);
  // Outside the transaction: no lock is held while a vendor is waited for.
  if (order !== null && asked !== null && (await whyNotChanged(db, order, part)) === null) {
    requireGood(problemsOf(asked), changes);
    const verdict = await forOrder(orderId, () => families[order.family].checkBuyer(context, asked));
    if (verdict.verdict === "refused") requireGood(verdict.fields, changes);
  }
  await db.transaction().execute(async (trx) => {
    const locked = await requireChangeable(trx, orderId, part);
    if (locked.account === null) throw new RangeError("A paid order says who buys");
    const account = wanted(locked.account);
    await moveOrder(trx, locked, { account });
    await record(trx, {
      userId: null,
      staffId: by.staffId,
      action: `order.${part}`,
      subject: `order:${orderId}`,
      data: { reason: by.reason, by: by.by, ...beforeAndAfter(locked.account, account) },
    });
  });
}

/** @throws DomainError bad_request at the fields that were asked for, or with what is wrong of the others */
function requireGood(problems: Readonly<Record<string, Told>>, asked: object): void {
  const [first, ...others] = Object.entries(problems);
  if (first === undefined) return;
  const ofForm = [first, ...others].filter(([field]) => field in asked);
  if (ofForm.length > 0)
    throw new DomainError("bad_request", first[1], { fields: Object.fromEntries(ofForm) });
  throw new DomainError("bad_request", sentences(first[1], ...others.map(([, message]) => message)));
}

/** What differs, as it was and as it is. */
function beforeAndAfter(before: AccountAnswers, after: AccountAnswers): { before: string; after: string } {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => old.get(name) !== value);
  const said = (of: (name: string, value: unknown) => unknown) =>
    changed.map(([name, value]) => `${name}: ${String(of(name, value))}`).join("; ");
  return { before: said((name) => old.get(name)), after: said((_name, value) => value) };
}

/**
 * Changes the name of the account that a paid order makes.
 * @throws DomainError bad_request or provider_unavailable at the field `prefix`; conflict when it is too late
 */
export async function changeTenantName(
  context: Context,
  orderId: OrderId,
  prefix: string,
  by: Ordered,
): Promise<void> {
  const order = await findOrder(context.db, orderId);
  const made = order === null ? null : newAccount(order);
  if (order !== null && made !== null && (await whyNotChanged(context.db, order, "tenantName")) === null) {
    if (!made.rules.pattern.test(prefix))
      throw wrongField("prefix", "Small letters and digits, at most 27 of them.");
    await forOrder(orderId, () => made.rules.requireFree(context, prefix, order.country, by.by));
  }
  await changeSignIn(context, orderId, "tenantName", by, (signIn) =>
    signIn.mode === "new" ? { ...signIn, prefix } : signIn,
  );
}

/**
 * Changes the name of the user that a paid order makes. The password stays.
 * @throws DomainError bad_request at the field `username`; conflict when it is too late
 */
export async function changeUsername(
  context: Context,
  orderId: OrderId,
  username: string,
  by: Ordered,
): Promise<void> {
  if (!usernamePattern.test(username))
    throw wrongField("username", "Letters, digits, dots, hyphens and underscores, at most 63 of them.");
  await changeSignIn(context, orderId, "username", by, (signIn) =>
    "username" in signIn && signIn.mode !== "existing" ? { ...signIn, username } : signIn,
  );
}

async function changeSignIn(
  context: Context,
  orderId: OrderId,
  part: "tenantName" | "username",
  by: Ordered,
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
    await record(trx, {
      userId: null,
      staffId: by.staffId,
      action: part === "username" ? "order.username" : "order.tenant-name",
      subject: `order:${orderId}`,
      data: { reason: by.reason, by: by.by, before: said(order), after: said({ signIn }) },
    });
  });
}

/** @throws DomainError conflict */
async function requireChangeable(trx: Trx, orderId: OrderId, part: OrderPart): Promise<Order> {
  const order = await lockOrder(trx, orderId);
  const why = await whyNotChanged(trx, order, part);
  if (why !== null) throw new DomainError("conflict", why);
  return order;
}

/** Why an order cannot go into another account of its company, in a sentence; null when it can. */
export async function whyNotMoved(db: Db, order: Order): Promise<string | null> {
  const why = whyNotNow(order);
  if (why !== null) return why;
  const { label, tenants } = families[order.family];
  if (tenants === null) return `${label} has no accounts that an order could go into.`;
  if (order.kind !== "NEW" && order.kind !== "TUP")
    return "It belongs to a subscription, and goes where that is.";
  if (await mayHaveActed(db, order.id))
    return `${label} has been asked for it already: see there what was made, and cancel it.`;
  return (await otherTenants(db, order)).length > 0
    ? null
    : "Its company has no other account with a valid proof that it is theirs.";
}

/** The accounts of an order's company that it may go into instead: proven to be the company's, and without the plan where it is sold once. */
export async function otherTenants(db: Db, order: Order, now = new Date()): Promise<Tenant[]> {
  const { customerId, family, tenantId, country, itemId } = order;
  const { tenants } = families[family];
  if (tenants === null || customerId === null) return [];
  const fitting: Tenant[] = [];
  for (const tenant of await listTenantsOf(db, customerId, family)) {
    if (tenant.id === tenantId || tenant.country !== country) continue;
    if (!(await isProven(db, { customerId, family, tenantExternalId: tenant.externalId }, now))) continue;
    if (tenants.sellsPlanOnce && (await isHeldIn(db, tenant.id, itemId))) continue;
    fitting.push(tenant);
  }
  return fitting;
}

/**
 * Has a paid order go into another account of its company, and sends it on.
 * @param move.proof what shows that the buyer wants it there, for the audit log
 * @throws DomainError bad_request for an account that it may not go into; conflict when it is too late
 */
export async function moveToTenant(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  { tenantId, proof }: { tenantId: TenantId; proof: string },
  by: Ordered,
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
      throw wrongField("tenant", "Another company has that account here, too. Find out first whose it is.");
    const from = order.tenantId === null ? null : await findTenant(trx, order.tenantId);
    await deleteUnfinishedSteps(trx, orderId);
    await deleteCredentials(trx, orderId, ["sign-in", "transfer-token"]);
    await deleteFulfilment(trx, orderId);
    await moveInvitations(trx, orderId, { from: "accepted", to: "refused" });
    await moveInvitations(trx, orderId, { from: "pending", to: "timed_out" });
    const { details } = withSignInProblem({ details: withNote(order, undefined).details }, undefined);
    const google = domainOfCustomer(family, to.domain);
    await moveOrder(trx, order, {
      tenantId,
      signIn: null,
      fulfilmentStatus: "queued",
      details: { ...details, ...(google !== undefined && { google }) },
    });
    await queueFulfilment(trx, orderId);
    await record(trx, {
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
