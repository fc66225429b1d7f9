/** The data of Subscription Details in every journey: the offer, and the choices made so far. */

import { z } from "zod";
import type { Address } from "#db/accounts/customers.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { itemCopyIn } from "#server/catalogue/item-copy.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { signupSeats } from "#server/catalogue/pricing/total.ts";
import { countries, currencyOf } from "#server/foundation/countries/registry.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  addressesIn,
  listCompanyAddOnBases,
  listSingleInstanceSubscriptions,
  listTenants,
  requiresNewOrder,
} from "#server/orders/existing-customer.ts";
import { whyNotSold } from "#server/orders/market-availability.ts";
import { plansOf, yearlySaving } from "#server/orders/pricing.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { priceTaxFor } from "#server/orders/supply.ts";
import { type TaxTexts, taxTexts } from "#server/orders/tax-texts.ts";
import { screens } from "../../families/registry.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { changeRule, changeSummary, defaultQuantity, perUserPrice } from "./change-view.ts";
import type { DestinationProps } from "./destination-field.tsx";
import type { DetailsFormProps, DetailsView } from "./details-form.tsx";
import { companyOf, type PurchaseContext } from "./purchase-context.ts";
import {
  hasSameTotal,
  hasSignupPrice,
  mayHaveSignupPrice,
  monthly,
  signupPriceOf,
  type Taxes,
  totalView,
} from "./total-view.ts";

function headingOf({ kind, item }: PurchaseContext, text: Translate): string {
  if (kind === "ADD") return text("steps.addMore");
  if (kind === "RENEW") return text("steps.renew");
  if (kind === "ADDON") return text("steps.addOn");
  return text(screens[item.family].detailsHeading);
}

/**
 * Buy more refuses an invalid quantity with an error (docs/specification.md, section 5), because otherwise the buyer would pay
 * for a number they never typed.
 */
const quantityFallback = { NEW: "1", TUP: "1", ADDON: "1", ADD: "", RENEW: "0" } as const;

/** @param preferred the preselected destination when the order has none yet */
export async function detailsView(
  request: RequestContext,
  offer: PurchaseContext,
  order: Order | null,
  preferred?: string,
): Promise<DetailsView> {
  const { kind, item, country } = offer;
  const { text, language } = request;
  const { description, features } = itemCopyIn(item, language);
  const closed = whyNotSold(request.context.env, item.family, country);
  const addresses = await addressesOf(request, offer);
  const taxes = await taxesOf(request, offer, order, addresses);
  const tax = taxTexts(taxes.usual, language);
  const isNewDomain = mayHaveSignupPrice(offer, order);
  return {
    heading: headingOf(offer, text),
    closed: closed === null ? null : translate(language, closed),
    total: closed === null ? totalView(request, offer, order, taxes) : null,
    facts: "subscription" in offer ? changeSummary(offer, tax, request, new Date()) : [],
    quantityFallback: quantityFallback[kind],
    withDomain: kind === "NEW" && families[item.family].domain !== null ? countries[country].console : null,
    transfer: transferIn(order),
    item: {
      name: item.name,
      description,
      features: [...features],
      seatRule: seatRule(offer, request),
    },
    plans: "subscription" in offer ? [] : planViews(request, offer, tax, { isNewDomain }),
    plansOfKnownDomain:
      isNewDomain && hasSignupPrice(offer) ? planViews(request, offer, tax, { isNewDomain: false }) : [],
    next: text(kind === "NEW" ? "steps.nextNew" : "steps.next"),
    destination: await destinationOf(request, offer, addresses),
    goesWith: await addOnsFor(request, offer),
    chosen: order === null ? await begunWith(request, offer, preferred) : chosenIn(order),
  };
}

/** Addresses to which the order can be sold; empty before a new buyer enters one. */
async function addressesOf(
  { context }: RequestContext,
  { company, country }: PurchaseContext,
): Promise<Address[]> {
  return company === null ? [] : addressesIn(context.db, company, country);
}

/** The tax in the price: of an order's buyer, or of the company's newest address and each address with a different tax. */
async function taxesOf(
  { context, session }: RequestContext,
  { kind, country }: PurchaseContext,
  order: Order | null,
  addresses: readonly Address[],
): Promise<Taxes> {
  const { db, env } = context;
  const customerId = session?.customer?.id ?? null;
  const taxTo = (account: Pick<AccountAnswers, "gst_code"> | null) =>
    priceTaxFor(db, env.sellers, { country, account, customerId }, new Date());
  const usual = await taxTo(kind === "NEW" ? (order?.account ?? null) : null);
  const at = await Promise.all(
    addresses.map(async ({ id, gstCode }) => ({ id, tax: await taxTo({ gst_code: gstCode }) })),
  );
  return {
    usual,
    at: new Map(at.filter(({ tax }) => !hasSameTotal(tax, usual)).map(({ id, tax }) => [id, tax])),
  };
}

function planViews(
  { text }: RequestContext,
  offer: PurchaseContext,
  tax: TaxTexts,
  { isNewDomain }: { isNewDomain: boolean },
): DetailsView["plans"] {
  const { item, country } = offer;
  const plans = plansOf(item, country);
  const byTheMonth = plans.find(({ billingCycle }) => billingCycle === "monthly");
  return plans.map((plan) => {
    const { term, billingCycle, unitPrice, list } = plan;
    const regular = perUserPrice(formatMoney(unitPrice), billingCycle, text);
    const billed = text(billingCycle === "monthly" ? "steps.billedMonthly" : "steps.billedAnnually", {
      tax: tax.before,
    });
    const signup = isNewDomain ? signupPriceOf(offer, { term, billingCycle }) : null;
    const signupWords =
      signup === null
        ? billed
        : text("steps.signupPrice", {
            billed,
            family: families[item.family].label,
            price: perUserPrice(formatMoney(signup.amount), billingCycle, text),
            seats: signupSeats,
          });
    const saving = byTheMonth === undefined ? null : yearlySaving(plan, byTheMonth);
    return {
      term,
      label: text(term === "P1Y" ? "steps.oneYear" : "steps.oneMonth"),
      perMonth: formatMoney(monthly(signup?.amount ?? unitPrice, billingCycle)),
      price: regular,
      list: list === null ? null : formatMoney(list),
      note: signupWords,
      saving:
        saving === null
          ? null
          : {
              percent: text("steps.savesPercent", { percent: saving.percent }),
              amount: text("steps.saves", { price: formatMoney(saving.amount) }),
            },
    };
  });
}

function transferIn(order: Order | null): DetailsView["transfer"] {
  const google = order?.details.google;
  const isTransfer = google?.customerType === "transfer_token";
  return {
    isKept: isTransfer && google.moves !== undefined,
    isLater: isTransfer && google.moves === undefined,
  };
}

function seatRule(offer: PurchaseContext, request: RequestContext): string | null {
  const { kind, item } = offer;
  const { text } = request;
  if ("subscription" in offer) return changeRule(offer, request);
  if (kind === "ADDON") return text("steps.addOnRule");
  return item.maxSeats === null
    ? null
    : text("steps.seatRule", { least: item.minSeats, most: item.maxSeats });
}

/** Query parameters of a link from the calculator; others are ignored. */
const begun = z.object({
  quantity: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
  term: z.enum(["P1Y", "P1M"]).catch("P1Y"),
});

async function begunWith(
  { url, context }: RequestContext,
  offer: PurchaseContext,
  preferred = "",
): Promise<DetailsFormProps["chosen"]> {
  const { quantity, term } = begun.parse(Object.fromEntries(url.searchParams));
  const isSold = plansOf(offer.item, offer.country).some((plan) => plan.term === term);
  return {
    term: isSold ? term : "P1Y",
    quantity: quantity ?? (await defaultQuantity(context.db, offer)),
    domain: "",
    destination: preferred,
    username: "admin",
    prefix: "",
    address: "",
  };
}

function chosenIn(order: Order): DetailsFormProps["chosen"] {
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
  request: RequestContext,
  { kind, item, country, company }: PurchaseContext,
  saved: readonly Address[],
): Promise<DestinationProps | null> {
  if (company === null) return null;
  const { text, language } = request;
  const { db } = request.context;
  // Two registrations may share an address.
  const hasSeveral = new Set(saved.map(({ gstCode }) => gstCode)).size > 1;
  const addresses = saved.map(({ id, addressLine1, city, state, pincode, gstCode }) => ({
    id,
    label: [
      `${addressLine1}, ${city}, ${state} ${pincode}`,
      ...(hasSeveral && gstCode !== null ? [`GSTIN ${gstCode}`] : []),
    ].join(", "),
  }));
  if (kind === "ADD" || kind === "RENEW") {
    return { legend: "", options: [], newTenant: null, elsewhere: null, addresses };
  }
  if (kind === "ADDON") {
    const bases = await listCompanyAddOnBases(db, company.id, item);
    return {
      legend: text("steps.whichBase"),
      options: bases.map((base) => ({
        value: base.id,
        label: base.name,
        hint: text(base.held === 0 ? "steps.base" : "steps.baseWith", {
          domain: base.domain,
          licences: text("orders.licences", { count: base.quantity }),
          held: base.held,
          date: formatDate(base.end, country, language),
        }),
        buyMore: null,
      })),
      newTenant: null,
      elsewhere: null,
      addresses,
    };
  }
  const tenants = await listTenants(db, company.id, item.family);
  const heldOnce = await listSingleInstanceSubscriptions(db, company.id, item);
  const { name, tenants: rules } = families[item.family];
  const named = rules?.newByName ?? null;
  return {
    legend: text("steps.where"),
    options: tenants.map(({ id, domain, name }) => {
      const held = heldOnce.get(domain);
      return {
        value: id,
        label: domain,
        hint: held === undefined ? name : text("steps.hasPlan", { name }),
        buyMore: held === undefined ? null : paths.buyMore(held),
      };
    }),
    newTenant:
      named === null ? null : { label: text("steps.newAccount", { family: name }), suffix: named.suffix },
    elsewhere: requiresNewOrder(item)
      ? paths.newOrder({ family: item.family, item: item.id, country }, { another: "true" })
      : null,
    addresses,
  };
}

/** The add-ons for a base plan, linked once the company has the plan. */
async function addOnsFor(
  request: RequestContext,
  { kind, item, country, ...offer }: PurchaseContext,
): Promise<DetailsView["goesWith"]> {
  if (kind !== "NEW" && kind !== "TUP") return [];
  const { addOns } = await listDashboard(request.context.db, item.family);
  const company = offer.company ?? (await companyOf(request));
  return Promise.all(
    addOns
      .filter((addOn) => addOn.baseItemIds.includes(item.id))
      .map(async (addOn) => ({
        name: addOn.name,
        description: itemCopyIn(addOn, request.language).description,
        price: request.text("steps.addOnPrice", {
          price: formatMoney(startingPrice(addOn, currencyOf(country)).perMonth),
        }),
        href:
          company !== null && (await listCompanyAddOnBases(request.context.db, company.id, addOn)).length > 0
            ? paths.newAddOn({ sku_id: addOn.sku })
            : null,
      })),
  );
}
