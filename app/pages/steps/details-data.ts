/** Subscription Details of every journey: what the step shows of an item, and what its post makes of the order. */
import { redirect } from "@remix-run/node";
import type { OrderId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { type CatalogueItem, getItem, listDashboard } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { beginOrder, changeSelection, type Placement } from "#server/orders/draft.ts";
import {
  addressesIn,
  type Company,
  listBases,
  listTenants,
  mayMakeTenant,
  placeAddOn,
  placeSubscription,
} from "#server/orders/existing-customer.ts";
import { findJustBegun, findOrder } from "#server/orders/find.ts";
import { requireGoogleDomain } from "#server/orders/google-domain.ts";
import type { Order } from "#server/orders/order.ts";
import { plansOf, type Selection, signupPriceOf } from "#server/orders/pricing.ts";
import { type ChangeKind, placeChange } from "#server/orders/subscription-change.ts";
import { currencyOf } from "#server/pricing/country.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { consoleOf, signupSeats } from "#server/pricing/quote.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { getSubscriptionOf, type Subscription } from "#server/subscriptions/subscription.ts";
import {
  addOnDetailsSchema,
  changeDetailsSchema,
  customerDetailsSchema,
  detailsSchema,
  googleDetailsSchema,
  tenantDetailsSchema,
} from "../../forms/schemas.ts";
import type { Page } from "../../http/page.ts";
import { askerOf, currentPath } from "../../journey/guard.ts";
import { paths } from "../../paths.ts";
import { beforeTax, changeFacts, changeRule, quantityToBeginWith } from "./change-view.ts";
import type { DestinationProps } from "./destination-field.tsx";
import type { DetailsFormProps, DetailsView } from "./details-form.tsx";

/** What is on offer at the step: to somebody new, or to a company that adds a subscription (TUP) or an add-on, or changes one. */
export type Offer = { item: CatalogueItem; country: Country } & (
  | { kind: "NEW"; company: null }
  | { kind: "TUP" | "ADDON"; company: Company }
  | { kind: ChangeKind; company: Company; subscription: Subscription }
);

/** The company whose member is signed in; null for a visitor, and for who has not ordered yet. */
export async function companyOf(page: Page) {
  const { session } = page;
  if (session?.customer == null) return null;
  return findMembership(page.context.db, session.userId, session.customer.id);
}

/** What an order that has been begun is about. @throws DomainError not_found when its journey has no such step */
export async function offerOf(page: Page, order: Order): Promise<Offer> {
  const { db } = page.context;
  const { kind, country, subscriptionId } = order;
  if (kind === "ADD" || kind === "RENEW") {
    const offer = await changeOffer(page, kind, subscriptionId ?? "");
    if (offer === null) throw notFound("order");
    return offer;
  }
  const item = await getItem(db, order.itemId);
  if (kind === "NEW") return { kind, item, country, company: null };
  const company = await companyOf(page);
  if (company === null) throw notFound("order");
  return { kind, item, country, company };
}

/** A change to one of the company's subscriptions; null without a company. @throws DomainError not_found */
export async function changeOffer(page: Page, kind: ChangeKind, subscriptionId: string) {
  const company = await companyOf(page);
  if (company === null) return null;
  const { db } = page.context;
  const subscription = await getSubscriptionOf(db, company.id, subscriptionId);
  const item = await getItem(db, subscription.itemId, { includeRetired: true });
  return { kind, item, country: company.country, company, subscription };
}

/** The order that the asker has just begun for this offer, if any. */
export function justBegun(page: Page, offer: Offer): Promise<Order | null> {
  const { kind, item, country } = offer;
  const subscriptionId = "subscription" in offer ? offer.subscription.id : null;
  const plan = { kind, itemId: item.id, country, subscriptionId };
  return findJustBegun(page.context.db, plan, askerOf(page), new Date());
}

function headingOf({ kind, item }: Offer): string {
  if (kind === "ADD") return "Add More Licenses";
  if (kind === "RENEW") return "Renew Your Subscription";
  if (kind === "ADDON") return "Set up your Add-on";
  return item.family === "google" ? "Set up your Google Subscription" : "Set up your Subscription";
}

/** More licences are refused in words (SPEC section 5, Quantity): a number that nobody typed would be charged for. */
const quantityFallback = { NEW: "1", TUP: "1", ADDON: "1", ADD: "", RENEW: "0" } as const;

/** @param preferred the destination to begin with, when the order has none yet */
export async function detailsView(
  page: Page,
  offer: Offer,
  order: Order | null,
  preferred?: string,
): Promise<DetailsView> {
  const { kind, item, country } = offer;
  return {
    heading: headingOf(offer),
    facts: "subscription" in offer ? changeFacts(offer, new Date()) : [],
    quantityFallback: quantityFallback[kind],
    withDomain: kind === "NEW" && item.family === "google" ? consoleOf(country) : null,
    item: {
      name: item.name,
      description: item.description,
      features: [...item.features],
      seatRule: seatRule(offer),
    },
    plans: ("subscription" in offer ? [] : plansOf(item, country)).map((plan) => {
      const period = plan.billingCycle === "monthly" ? "month" : "year";
      const billed = `For each user${beforeTax(country)}. Billed ${plan.billingCycle === "monthly" ? "monthly" : "annually"}, in advance`;
      const signup = kind === "NEW" ? signupPriceOf(item, country) : null;
      return {
        term: plan.term,
        label: plan.term === "P1Y" ? "One Year" : "One Month",
        price: `${formatMoney(plan.unitPrice)} user/${period}`,
        list: plan.list === null ? null : formatMoney(plan.list),
        note:
          signup === null
            ? billed
            : `${billed}. A domain new to Google pays ${formatMoney(signup)} user/${period} for its first ${signupSeats} users.`,
      };
    }),
    next:
      kind === "NEW"
        ? "Next you tell us who the order is for. You pay at the third step."
        : "Next you check the order and pay.",
    destination: await destinationOf(page, offer),
    goesWith: await addOnsFor(page, offer),
    chosen: chosenIn(offer, order, preferred),
  };
}

function seatRule(offer: Offer): string | null {
  const { kind, item } = offer;
  if ("subscription" in offer) return changeRule(offer);
  if (kind === "ADDON")
    return "One for each person who will use it, at most as many as the licences it goes with.";
  return item.maxSeats === null ? null : `From ${item.minSeats} to ${item.maxSeats} licences in one order.`;
}

function chosenIn(offer: Offer, order: Order | null, preferred = ""): DetailsFormProps["chosen"] {
  if (order === null) {
    return {
      term: "P1Y",
      quantity: quantityToBeginWith(offer),
      domain: "",
      destination: preferred,
      username: "admin",
      prefix: "",
      address: "",
    };
  }
  const { line, details, signIn } = order;
  const wanted = signIn?.mode === "new" ? signIn : null;
  return {
    term: line.term,
    quantity: line.quantity,
    domain: details.google?.domain ?? "",
    destination: wanted === null ? (order.parentSubscriptionId ?? order.tenantId ?? "") : "new",
    username: wanted?.username ?? "admin",
    prefix: wanted?.prefix ?? "",
    address: "",
  };
}

async function destinationOf(
  page: Page,
  { kind, item, country, company }: Offer,
): Promise<DestinationProps | null> {
  if (company === null) return null;
  const { db } = page.context;
  const addresses = (await addressesIn(db, company, country)).map(
    ({ id, addressLine1, city, state, pincode }) => ({
      id,
      label: `${addressLine1}, ${city}, ${state} ${pincode}`,
    }),
  );
  if (kind === "ADD" || kind === "RENEW") {
    return { legend: "", options: [], newTenant: false, elsewhere: null, addresses };
  }
  if (kind === "ADDON") {
    const bases = await listBases(db, company.id, item);
    return {
      legend: "Which subscription does it go with?",
      options: bases.map((base) => ({
        value: base.id,
        label: base.item_name,
        hint: `${base.domain}: ${licences(base.quantity)}${base.held === 0 ? "" : `, ${base.held} with this add-on`}; ends ${formatDate(base.end_date, country)}`,
      })),
      newTenant: false,
      elsewhere: null,
      addresses,
    };
  }
  const tenants = await listTenants(db, company.id, item.family);
  return {
    legend: "Where should we add the subscription?",
    options: tenants.map((tenant) => ({ value: tenant.id, label: tenant.domain, hint: tenant.name })),
    newTenant: mayMakeTenant(item.family),
    elsewhere:
      item.family === "google" ? paths.newOrder({ family: item.family, item: item.id, country }) : null,
    addresses,
  };
}

/** The add-ons that go with a base plan, with a link once the company has the plan. */
async function addOnsFor(page: Page, { kind, item, country }: Offer): Promise<DetailsView["goesWith"]> {
  if (kind !== "NEW" && kind !== "TUP") return [];
  const { addOns } = await listDashboard(page.context.db, item.family);
  const company = await companyOf(page);
  return Promise.all(
    addOns
      .filter((addOn) => addOn.baseItemIds.includes(item.id))
      .map(async (addOn) => ({
        name: addOn.name,
        description: addOn.description,
        price: `${formatMoney(startingPrice(addOn, currencyOf(country)).perMonth)} / Monthly`,
        href:
          company !== null && (await listBases(page.context.db, company.id, addOn)).length > 0
            ? paths.newAddOn({ sku_id: addOn.sku })
            : null,
      })),
  );
}

/** The schema of the step's post. */
export function detailsSchemaOf({ kind, item }: Offer) {
  if (kind === "ADD" || kind === "RENEW") return changeDetailsSchema;
  if (kind === "ADDON") return addOnDetailsSchema;
  if (kind === "TUP") return item.family === "brio" ? customerDetailsSchema : tenantDetailsSchema;
  return item.family === "google" ? googleDetailsSchema : detailsSchema;
}

/** What any of those schemas gives. */
export interface Answers {
  /** Left out where the subscription has it. */
  term?: "P1Y" | "P1M";
  quantity: number;
  domain?: string;
  destination?: string;
  username?: string | undefined;
  prefix?: string | undefined;
  address?: string | undefined;
}

/**
 * Posts the step: begins an order, or changes the one given.
 * @returns the redirect to the order's next step
 * @throws as savingOf
 */
export async function saveDetails(
  page: Page,
  offer: Offer,
  order: Order | null,
  answers: Answers,
): Promise<Response> {
  const { db } = page.context;
  const save = await savingOf(page, offer, order, answers);
  const id = await db.transaction().execute(save);
  const saved = await findOrder(db, id);
  if (saved === null) throw notFound("order");
  return redirect(currentPath(saved), 303);
}

/**
 * What writes the step, after the domain and the places have been asked for outside a transaction.
 * @param asker left out for whoever has the page open
 * @throws DomainError on the field it concerns; forbidden for a viewer; conflict once paid
 */
export async function savingOf(
  page: Page,
  offer: Offer,
  order: Order | null,
  answers: Answers,
  asker = askerOf(page),
): Promise<(trx: Trx) => Promise<OrderId>> {
  const { item, country } = offer;
  const { selection, placement } = await placed(page, offer, answers);
  const posted = { item, country, selection, placement, asker, now: new Date() };
  return async (trx) => {
    if (order === null) return beginOrder(trx, posted);
    await changeSelection(trx, { ...posted, orderId: order.id });
    return order.id;
  };
}

async function placed(
  page: Page,
  offer: Offer,
  answers: Answers,
): Promise<{ selection: Selection; placement: Placement | null }> {
  const { context, clientAddress } = page;
  const { quantity, destination = "", username = "", prefix = "", address = null } = answers;
  if ("subscription" in offer) {
    return placeChange(context.db, { ...offer, quantity, addressId: address, now: new Date() });
  }
  const { term = "P1Y" } = answers;
  const selection = { term, quantity, billingCycle: billingOf[term] };
  const { kind, item, country, company } = offer;
  if (kind === "NEW") {
    if (answers.domain === undefined) return { selection, placement: null };
    await refuseOwnDomain(page, answers.domain);
    const google = await requireGoogleDomain(context, answers.domain, clientAddress);
    return { selection: { ...selection, google }, placement: null };
  }
  const where = { destination, username, prefix, addressId: address };
  if (kind === "ADDON") {
    return { selection, ...(await placeAddOn(context.db, { company, item, country, where, quantity })) };
  }
  const { placement, google } = await placeSubscription(context, {
    company,
    item,
    country,
    where,
    clientAddress,
  });
  return { selection: { ...selection, google }, placement };
}

/** A customer who comes by the longer way with a domain it has here: the plan is added to it, not signed up anew. */
async function refuseOwnDomain(page: Page, domain: string): Promise<void> {
  const company = await companyOf(page);
  const own = company === null ? [] : await listTenants(page.context.db, company.id, "google");
  if (!own.some((tenant) => tenant.domain === domain)) return;
  const message = "You have this domain with us. Add the plan to it from My Subscriptions, New Subscription.";
  throw new DomainError("bad_request", message, { fields: { domain: message } });
}

/** How each commitment is charged: in full and in advance (SPEC section 9, terms). */
const billingOf = { P1Y: "annual", P1M: "monthly" } as const;
