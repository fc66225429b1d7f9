/** The data of Subscription Details in every journey: the offer, and the choices made so far. */

import type { Order } from "#db/order.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { countries, currencyOf } from "#server/countries/country.ts";
import { families } from "#server/families/family.ts";
import {
  addressesIn,
  asksForNewOrder,
  listBases,
  listHeldOnce,
  listTenants,
} from "#server/orders/existing-customer.ts";
import { whyNotOpen } from "#server/orders/open.ts";
import { plansOf, signupPriceOf } from "#server/orders/pricing.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { signupSeats } from "#server/pricing/quote.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { screens } from "../../families/family.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { beforeTax, changeFacts, changeRule, quantityToBeginWith } from "./change-view.ts";
import type { DestinationProps } from "./destination-field.tsx";
import type { DetailsFormProps, DetailsView } from "./details-form.tsx";
import { companyOf, type Offer } from "./offer.ts";

function headingOf({ kind, item }: Offer): string {
  if (kind === "ADD") return "Add More Licenses";
  if (kind === "RENEW") return "Renew Your Subscription";
  if (kind === "ADDON") return "Set up your Add-on";
  return screens[item.family].detailsHeading;
}

/**
 * Buy more refuses an invalid quantity in words (docs/specification.md, section 5), because otherwise the buyer would pay for
 * a number they never typed.
 */
const quantityFallback = { NEW: "1", TUP: "1", ADDON: "1", ADD: "", RENEW: "0" } as const;

/** @param preferred the preselected destination when the order has none yet */
export async function detailsView(
  request: RequestContext,
  offer: Offer,
  order: Order | null,
  preferred?: string,
): Promise<DetailsView> {
  const { kind, item, country } = offer;
  return {
    heading: headingOf(offer),
    closed: whyNotOpen(request.context.env, item.family, country),
    facts: "subscription" in offer ? changeFacts(offer, new Date()) : [],
    quantityFallback: quantityFallback[kind],
    withDomain: kind === "NEW" && families[item.family].domain !== null ? countries[country].console : null,
    transfer: transferIn(order),
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
            : `${billed}. A domain new to ${families[item.family].label} pays ${formatMoney(signup)} user/${period} for its first ${signupSeats} users.`,
      };
    }),
    next:
      kind === "NEW"
        ? "Next you tell us who the order is for. You pay at the third step."
        : "Next: review your order and pay.",
    destination: await destinationOf(request, offer),
    goesWith: await addOnsFor(request, offer),
    chosen: chosenIn(offer, order, preferred),
  };
}

function transferIn(order: Order | null): DetailsView["transfer"] {
  const google = order?.details.google;
  const isTransfer = google?.customerType === "transfer_token";
  return {
    isKept: isTransfer && google.moves !== undefined,
    isLater: isTransfer && google.moves === undefined,
  };
}

function seatRule(offer: Offer): string | null {
  const { kind, item } = offer;
  if ("subscription" in offer) return changeRule(offer);
  if (kind === "ADDON") return "One for each person who will use it, no more than the plan has licences.";
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
  request: RequestContext,
  { kind, item, country, company }: Offer,
): Promise<DestinationProps | null> {
  if (company === null) return null;
  const { db } = request.context;
  const addresses = (await addressesIn(db, company, country)).map(
    ({ id, addressLine1, city, state, pincode }) => ({
      id,
      label: `${addressLine1}, ${city}, ${state} ${pincode}`,
    }),
  );
  if (kind === "ADD" || kind === "RENEW") {
    return { legend: "", options: [], newTenant: null, elsewhere: null, addresses };
  }
  if (kind === "ADDON") {
    const bases = await listBases(db, company.id, item);
    return {
      legend: "Which subscription does it go with?",
      options: bases.map((base) => ({
        value: base.id,
        label: base.name,
        hint: `${base.domain}: ${licences(base.quantity)}${base.held === 0 ? "" : `, ${base.held} with this add-on`}; ends ${formatDate(base.end, country)}`,
        buyMore: null,
      })),
      newTenant: null,
      elsewhere: null,
      addresses,
    };
  }
  const tenants = await listTenants(db, company.id, item.family);
  const heldOnce = await listHeldOnce(db, company.id, item);
  const { name, tenants: rules } = families[item.family];
  const named = rules?.newByName ?? null;
  return {
    legend: "Where should we add the subscription?",
    options: tenants.map(({ id, domain, name }) => {
      const held = heldOnce.get(domain);
      return {
        value: id,
        label: domain,
        hint: held === undefined ? name : `${name}. It has this plan already.`,
        buyMore: held === undefined ? null : paths.buyMore(held),
      };
    }),
    newTenant: named === null ? null : { label: `A new ${name} account`, suffix: named.suffix },
    elsewhere: asksForNewOrder(item) ? paths.newOrder({ family: item.family, item: item.id, country }) : null,
    addresses,
  };
}

/** The add-ons for a base plan, linked once the company has the plan. */
async function addOnsFor(
  request: RequestContext,
  { kind, item, country, ...offer }: Offer,
): Promise<DetailsView["goesWith"]> {
  if (kind !== "NEW" && kind !== "TUP") return [];
  const { addOns } = await listDashboard(request.context.db, item.family);
  const company = offer.company ?? (await companyOf(request));
  return Promise.all(
    addOns
      .filter((addOn) => addOn.baseItemIds.includes(item.id))
      .map(async (addOn) => ({
        name: addOn.name,
        description: addOn.description,
        price: `${formatMoney(startingPrice(addOn, currencyOf(country)).perMonth)} / Monthly`,
        href:
          company !== null && (await listBases(request.context.db, company.id, addOn)).length > 0
            ? paths.newAddOn({ sku_id: addOn.sku })
            : null,
      })),
  );
}
