/** Data of the closure page: the order's result, the sign-in details while they are kept, and the buyer's next actions. */
import type { Order } from "#db/orders/order.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { listDocumentRecipients } from "#server/accounts/billing-contacts.ts";
import { showCredentials } from "#server/accounts/credentials/credentials.ts";
import { findUser } from "#server/accounts/users.ts";
import { creditNotesOf } from "#server/billing/documents/credit-note.ts";
import { type Invoice, invoicesOf } from "#server/billing/documents/issue.ts";
import { breakdownOfInvoice } from "#server/billing/documents/price-breakdown.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type AddOn, listAddOns } from "#server/catalogue/items.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import { screens } from "../../families/registry.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { receiptOf } from "../receipt-data.ts";
import { timelineIn } from "../timeline-data.ts";
import { documentLinks, holdingOf } from "./document-links.ts";

/** An action for the buyer. */
export interface ToDo {
  title: string;
  isDone: boolean;
  sentences: string[];
  /** Menu path in the vendor's console. */
  menus: readonly string[];
  link: { label: string; href: string } | null;
  /** The step that shows the sign-in details. */
  isSignIn: boolean;
}

export async function closureOf(request: RequestContext, order: Order) {
  const { context, text, language, session } = request;
  const family = families[order.family];
  const moved = family.movedWords(order);
  const isBuyer = session !== null && session.userId === order.userId;
  const { db } = context;
  const notes = creditNotesOf(db, [order.id]);
  // Concurrent: sequential reads would each cost a round trip to the database.
  const [subscription, credentials, user, invoices, issued, copies, timeline, addOns] = await Promise.all([
    order.subscriptionId === null ? null : findSubscription(db, order.subscriptionId),
    // Other members may see that the order is done, but only its buyer sees the credentials.
    isBuyer && request.view === null ? credentialsOf(request, order) : null,
    order.userId === null ? null : findUser(db, order.userId),
    invoicesOf(db, order.id),
    notes,
    copiesIn(request, order),
    timelineIn(request, order, { isUnderWay: true, notes }),
    isBuyer ? listAddOns(db) : [],
  ]);
  // The frame shows the cancellation date: nothing is active, and the only action left is keeping the sign-in details.
  const isCancelled = subscription?.status === "cancelled";
  const addedTo = addedToOf(request, order);
  const changed = changeOf(request, order, subscription);
  const documents = documentLinks(request, order, { invoices, notes: issued });
  const receipt = receiptOf(request, order, documents);
  const isNewAccount = addedTo === null && changed === null && moved === null;
  return {
    view: "done" as const,
    title: isCancelled ? text("closure.subscriptionCancelled") : titleOf(request, order),
    ready: isCancelled ? null : readyOf(request, order),
    changed: isCancelled ? null : changed,
    addedTo: addedTo === null || isCancelled ? null : text("closure.addedTo", { account: addedTo }),
    moved: moved === null ? null : translate(language, moved),
    credentials,
    toDo: toDoOf(request, order, {
      subscription,
      hasPassword: user?.hasPassword === true,
      hasCredentials: credentials !== null,
      isNewAccount: isNewAccount && isBuyer,
    }),
    notYours: isNewAccount && !isBuyer ? text("closure.onlyBuyer") : null,
    here: stepPath(order, "order-processed"),
    receipt,
    number: receipt === null ? text("closure.number", { number: orderNumber(order) }) : null,
    computed: computedOf(request, order, invoices),
    copies,
    timeline,
    links: [
      { label: text("closure.manage"), href: paths.subscriptions() },
      { label: text("closure.explore"), href: paths.customerHome() },
      ...(receipt === null ? documents : []),
    ],
    getStarted: isCancelled ? null : family.startUrl(context.env),
    addOns: isCancelled ? [] : addOnLinks(request, order, addOns),
    words: {
      toDo: text("closure.toDo"),
      done: text("closure.done"),
      menus: text("closure.menus"),
      yourDetails: text("closure.yourDetails"),
      haveSaved: text("closure.haveSaved"),
      removeQuestion: text("closure.removeQuestion"),
      remove: text("closure.remove"),
      getStarted: text("closure.getStarted"),
    },
  };
}

/** Explains how the total was computed. Null without an invoice, from which the tax comes. */
function computedOf({ text, language }: RequestContext, order: Order, invoices: readonly Invoice[]) {
  const invoice = holdingOf(invoices);
  return invoice === null
    ? null
    : { title: text("computed.title"), sentences: breakdownOfInvoice(order, invoice, language) };
}

/** Recipients of the invoice besides the buyer; null for none. */
async function copiesIn({ context, text }: RequestContext, { customerId }: Order): Promise<string | null> {
  if (customerId === null) return null;
  const readers = await listDocumentRecipients(context.db, customerId, "getsInvoices");
  return readers.length === 0
    ? null
    : text("billing.copies", { emails: readers.map(({ email }) => email).join(", ") });
}

interface Known {
  subscription: Subscription | null;
  hasPassword: boolean;
  hasCredentials: boolean;
  isNewAccount: boolean;
}

function toDoOf(request: RequestContext, order: Order, known: Known): ToDo[] {
  const { subscription, hasPassword, hasCredentials, isNewAccount } = known;
  if (subscription?.status === "cancelled")
    return hasCredentials ? [saveSignIn(request, { hasCredentials })] : [];
  return isNewAccount
    ? newAccountToDo(request, order, subscription?.domain ?? "", { hasPassword, hasCredentials })
    : leftToDo(request, order);
}

/** Actions for a new account, from the sign-in details to the password of the buyer's store account. */
function newAccountToDo(
  request: RequestContext,
  order: Order,
  domain: string,
  { hasPassword, hasCredentials }: Pick<Known, "hasPassword" | "hasCredentials">,
): ToDo[] {
  const { context, text, language } = request;
  const startUrl = families[order.family].startUrl(context.env);
  const [signIn, ...others] = families[order.family].onboardingSteps(order, domain, startUrl).map((step) => ({
    title: translate(language, step.title),
    isDone: false,
    sentences: [translate(language, step.text)],
    menus: step.menus,
    link: { label: text("closure.open", { place: new URL(step.href).host }), href: step.href },
    isSignIn: false,
  }));
  return [
    saveSignIn(request, { hasCredentials }),
    ...(signIn === undefined ? [] : [signIn]),
    // Everything else at the vendor depends on these.
    ...leftToDo(request, order),
    ...others,
    {
      title: text(hasPassword ? "closure.passwordDone" : "closure.password"),
      isDone: hasPassword,
      sentences: hasPassword ? [] : [text("closure.passwordWhy")],
      menus: [],
      link: hasPassword ? null : { label: text("closure.passwordLink"), href: paths.changePassword() },
      isSignIn: false,
    },
  ];
}

function saveSignIn({ text, view }: RequestContext, { hasCredentials }: { hasCredentials: boolean }): ToDo {
  const kept = hasCredentials ? "closure.saveWhy" : "closure.noLongerShown";
  return {
    title: text("closure.save"),
    isDone: !hasCredentials && view === null,
    sentences: [text(view === null ? kept : "storeView.noSignInDetails")],
    menus: [],
    link: null,
    isSignIn: true,
  };
}

/** Actions that the vendor requires for every kind of order. */
function leftToDo({ text, language }: RequestContext, order: Order): ToDo[] {
  const sentences = families[order.family]
    .remainingSteps(order)
    .map((sentence) => translate(language, sentence));
  if (sentences.length === 0) return [];
  return [
    { title: text("closure.beforeUse"), isDone: false, sentences, menus: [], link: null, isSignIn: false },
  ];
}

/** The add-ons available for the plan just bought. */
function addOnLinks({ text }: RequestContext, { itemId, subscriptionId }: Order, addOns: readonly AddOn[]) {
  return addOns
    .filter(({ baseItemIds }) => subscriptionId !== null && baseItemIds.includes(itemId))
    .map(({ name, sku }) => ({
      says: text("closure.goesWith", { name }),
      href: paths.newAddOn({ sku_id: sku, base: subscriptionId ?? "" }),
    }));
}

/** Describes the effect of a change on its subscription; null for an order that created a subscription. */
function changeOf(
  { text, language }: RequestContext,
  { kind, country, account }: Order,
  subscription: Subscription | null,
): string[] | null {
  if ((kind !== "ADD" && kind !== "RENEW") || subscription === null) return null;
  const { domain, quantity, end, next } = subscription;
  const licences = (count: number) => text("orders.licences", { count });
  const spoken = (date: Date) => formatDate(date, country, language);
  if (kind === "ADD") {
    return [text("closure.nowHas", { domain, licences: licences(quantity), until: spoken(end) })];
  }
  return [
    next === null
      ? text("closure.newTerm", { domain, licences: licences(quantity), until: spoken(end) })
      : text("closure.nextTerm", {
          start: spoken(next.start),
          licences: licences(next.quantity),
          until: spoken(end),
        }),
    text("closure.delivered", { email: account?.email ?? text("closure.yourEmail") }),
  ];
}

function readyOf({ text }: RequestContext, { kind, line: { name, quantity } }: Order): string {
  const licences = text("orders.licences", { count: quantity });
  if (kind === "ADD") return text("closure.added", { name, licences });
  if (kind === "RENEW") return text("closure.renewed", { name, licences });
  return text("closure.ready", { name, count: quantity });
}

function titleOf(request: RequestContext, order: Order): string {
  const { text } = request;
  if (order.kind === "ADD") return text("closure.licenseAdded");
  if (order.kind === "RENEW") return text("closure.licenseRenewed");
  if (order.kind === "ADDON") return text("closure.subscriptionAdded");
  const { name, tenants } = families[order.family];
  if (addedToOf(request, order) === null || tenants === null) return text("closure.welcome");
  return text("closure.getStartedWith", { name });
}

/** The buyer's existing account that received the order, or null. */
function addedToOf({ text }: RequestContext, { kind, family, signIn, details }: Order): string | null {
  if (signIn?.mode === "existing") return text("closure.accountOf", { username: signIn.username });
  if (kind === "ADD" || kind === "RENEW") return null;
  if (families[family].tenants === null || signIn !== null) return null;
  return details.addedTo ?? (kind === "NEW" ? null : text("closure.yourAccount"));
}

async function credentialsOf({ context, text, language }: RequestContext, { id, family, country }: Order) {
  const kept = await showCredentials(context, context.db, id);
  if (kept === null) return null;
  const { name, hint } = screens[family].secret;
  return {
    username: { label: text("closure.username"), value: kept.username },
    secret: { label: text(name), value: kept.password },
    hint: `${text(hint)} ${text("closure.shownUntil", { date: formatDate(kept.until, country, language) })}`,
  };
}
