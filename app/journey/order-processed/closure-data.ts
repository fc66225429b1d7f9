/** What the closure page says of an order: what it did, the sign-in details while they are kept, and what to do next. */
import type { Order } from "#db/order.ts";
import type { Subscription } from "#db/subscriptions.ts";
import { listReaders } from "#server/accounts/billing-contacts.ts";
import { findUser } from "#server/accounts/users.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { showCredentials } from "#server/credentials/credentials.ts";
import { computedThen } from "#server/documents/computed.ts";
import { mayCorrect } from "#server/documents/correct.ts";
import { creditNotesOf } from "#server/documents/credit-note.ts";
import { findInvoice, invoicesOf } from "#server/documents/issue.ts";
import { mayChangeReferences } from "#server/documents/references.ts";
import { families } from "#server/families/family.ts";
import { tell } from "#server/languages/text.ts";
import { stepPath } from "#server/orders/address.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { findSubscription } from "#server/subscriptions/subscription.ts";
import { screens } from "../../families/family.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { askerOf } from "../guard.ts";
import { timelineIn } from "../timeline-data.ts";

/** A thing for the buyer to do. */
export interface ToDo {
  title: string;
  isDone: boolean;
  sentences: string[];
  /** The vendor's menus to the place. */
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
  const subscription =
    order.subscriptionId === null ? null : await findSubscription(context.db, order.subscriptionId);
  // The frame says since when: nothing is ready, and nothing is left to do but to keep the sign-in details.
  const isCancelled = subscription?.status === "cancelled";
  const addedTo = addedToOf(request, order);
  const changed = changeOf(request, order, subscription);
  // Other members may see that the order is done, but only its buyer sees the credentials.
  const credentials = isBuyer && request.view === null ? await credentialsOf(request, order) : null;
  const isNewAccount = addedTo === null && changed === null && moved === null;
  return {
    view: "done" as const,
    title: isCancelled ? text("closure.subscriptionCancelled") : titleOf(request, order),
    ready: isCancelled ? null : readyOf(request, order),
    changed: isCancelled ? null : changed,
    addedTo: addedTo === null || isCancelled ? null : text("closure.addedTo", { account: addedTo }),
    moved: moved === null ? null : tell(language, moved),
    credentials,
    toDo: await toDoOf(request, order, {
      subscription,
      hasCredentials: credentials !== null,
      isNewAccount: isNewAccount && isBuyer,
    }),
    notYours: isNewAccount && !isBuyer ? text("closure.onlyBuyer") : null,
    here: stepPath(order, "order-processed"),
    number: text("closure.number", { number: orderNumber(order) }),
    computed: await computedOf(request, order),
    copies: await copiesIn(request, order),
    timeline: await timelineIn(request, order, { isUnderWay: true }),
    links: [
      { label: text("closure.manage"), href: paths.subscriptions() },
      { label: text("closure.explore"), href: paths.customerHome() },
      ...(await documentLinks(request, order)),
    ],
    getStarted: isCancelled ? null : family.startUrl(context.env),
    addOns: isBuyer && !isCancelled ? await addOnLinks(request, order) : [],
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

/** Null while there is no invoice, whose tax it tells. */
async function computedOf({ context, text, language }: RequestContext, order: Order) {
  const invoice = await findInvoice(context.db, order.id);
  return invoice === null
    ? null
    : { title: text("computed.title"), sentences: computedThen(order, invoice, language) };
}

/** With their amounts where money went both ways. */
async function documentLinks(request: RequestContext, order: Order) {
  const { context, text } = request;
  if (await mayChangeReferences(context.db, order))
    return [{ label: text("references.edit"), href: paths.orderReferences(order.id) }];
  const notes = await creditNotesOf(context.db, [order.id]);
  const former = (await invoicesOf(context.db, order.id)).filter(({ replacedBy }) => replacedBy !== null);
  const href = paths.invoice(order.id);
  const correct = mayCorrect(order, askerOf(request))
    ? [{ label: text("corrections.edit"), href: paths.orderReferences(order.id) }]
    : [];
  if (notes.length === 0) return [{ label: text("closure.invoice"), href }, ...correct];
  return [
    { label: text("closure.invoiceOf", { amount: formatMoney(order.total) }), href },
    ...notes.map(({ id, isCorrection, amount }) => ({
      label: isCorrection
        ? text("corrections.takenBack")
        : text("closure.creditNote", { amount: formatMoney(amount) }),
      href: paths.creditNote(id),
    })),
    ...former.map(({ number }) => ({
      label: text("corrections.former", { number }),
      href: paths.invoice(order.id, number),
    })),
    ...correct,
  ];
}

/** Who besides the buyer gets the invoice; null for nobody. */
async function copiesIn({ context, text }: RequestContext, { customerId }: Order): Promise<string | null> {
  if (customerId === null) return null;
  const readers = await listReaders(context.db, customerId, "getsInvoices");
  return readers.length === 0
    ? null
    : text("billing.copies", { emails: readers.map(({ email }) => email).join(", ") });
}

async function toDoOf(
  request: RequestContext,
  order: Order,
  known: { subscription: Subscription | null; hasCredentials: boolean; isNewAccount: boolean },
): Promise<ToDo[]> {
  const { subscription, hasCredentials, isNewAccount } = known;
  if (subscription?.status === "cancelled")
    return hasCredentials ? [saveSignIn(request, { hasCredentials })] : [];
  return isNewAccount
    ? newAccountToDo(request, order, subscription?.domain ?? "", { hasCredentials })
    : leftToDo(request, order);
}

/** From the sign-in details to the password of the buyer's account with the store. */
async function newAccountToDo(
  request: RequestContext,
  order: Order,
  domain: string,
  kept: { hasCredentials: boolean },
): Promise<ToDo[]> {
  const { context, text, language } = request;
  const user = order.userId === null ? null : await findUser(context.db, order.userId);
  const hasPassword = user?.hasPassword === true;
  const startUrl = families[order.family].startUrl(context.env);
  const [signIn, ...others] = screens[order.family].firstSteps(order, domain, startUrl).map((step) => ({
    title: tell(language, step.title),
    isDone: false,
    sentences: [tell(language, step.text)],
    menus: step.menus,
    link: { label: text("closure.open", { place: new URL(step.href).host }), href: step.href },
    isSignIn: false,
  }));
  return [
    saveSignIn(request, kept),
    ...(signIn === undefined ? [] : [signIn]),
    // Nothing else is open at the vendor before that.
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

/** What the vendor waits for, whatever kind of order it was. */
function leftToDo({ text, language }: RequestContext, order: Order): ToDo[] {
  const sentences = families[order.family].leftToDo(order).map((sentence) => tell(language, sentence));
  if (sentences.length === 0) return [];
  return [
    { title: text("closure.beforeUse"), isDone: false, sentences, menus: [], link: null, isSignIn: false },
  ];
}

/** The add-ons available for the plan just bought. */
async function addOnLinks({ context, text }: RequestContext, { family, itemId, subscriptionId }: Order) {
  const { addOns } = await listDashboard(context.db, family);
  return addOns
    .filter(({ baseItemIds }) => subscriptionId !== null && baseItemIds.includes(itemId))
    .map(({ name, sku }) => ({
      says: text("closure.goesWith", { name }),
      href: paths.newAddOn({ sku_id: sku, base: subscriptionId ?? "" }),
    }));
}

/** The effect of a change on its subscription, in words, or null for an order that created a subscription. */
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
  const isNew = kind === "NEW" || families[family].tenants === null || signIn !== null;
  return isNew ? null : (details.addedTo ?? text("closure.yourAccount"));
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
