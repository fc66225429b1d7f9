/**
 * Reads the order creation payload (docs/specification.md, section 3) as the step that it represents: plan, buyer, destination.
 * The page's own rules apply, and the posted figures are compared before anything is stored.
 */
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type CatalogueItem, findItem } from "#server/catalogue/items.ts";
import { countryOfConsoleCode } from "#server/foundation/countries/registry.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { listTenants, requireAddOnBases } from "#server/orders/existing-customer.ts";
import { lockOrder, type Requester } from "#server/orders/find.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";
import { detailsSchemaOf, detailsWriter } from "../../journey/subscription-details/details-post.ts";
import {
  companyOf,
  type PurchaseContext,
  purchaseContextOf,
  recentDraftOf,
} from "../../journey/subscription-details/purchase-context.ts";
import { postedAmounts, requireSameAmounts } from "./amounts.ts";
import { consoleCode, countryField, flag, ignoredText, seatsField, termField } from "./fields.ts";
import { ownOrder } from "./own-order.ts";
import { parseOr400 } from "./route.ts";

export const orderPayload = z.object({
  id: z.string().max(64).nullish().describe("an existing order to change; omit to start one"),
  count: seatsField.describe("how many seats"),
  sku_id: ignoredText.describe("the plan, by sku or by id; or itemId or catalogItemId"),
  itemId: ignoredText,
  catalogItemId: ignoredText,
  item_family: ignoredText.describe("rejected if it isn't the plan's"),
  country: countryField.nullish().describe("or console"),
  console: consoleCode.nullish(),
  subscriptionLength: termField.nullish().describe("defaults to P1Y, or P1M when billed monthly"),
  billingTerm: z.enum(["Annually", "Monthly"]).nullish(),
  domain: ignoredText.describe("Google, new customer: the domain; it is looked up there"),
  customer_type: z
    .enum(["new_signup", "transfer_token"])
    .nullish()
    .describe("compared with what Google says of the domain"),
  is_transfer_token_customer: flag.nullish(),
  is_new_contract: flag.nullish().describe("an existing customer's further subscription"),
  is_existing_customer: flag.nullish(),
  uid: ignoredText.describe("with is_new_contract: the tenant, by uid or id"),
  tenant: ignoredText.describe("the same by domain; of Microsoft also a free prefix, which makes a tenant"),
  username: ignoredText.describe("the administrator of a new tenant; defaults to admin"),
  is_addon: flag.nullish(),
  parent_subscription_id: ignoredText.describe("with is_addon: the subscription it goes with"),
  address_id: ignoredText.describe("an existing customer's saved address; the company's default unless said"),
  name: ignoredText,
  user: ignoredText,
  ...postedAmounts,
});
export type OrderPayload = z.output<typeof orderPayload>;

/** The payload's names for the fields of the page's form. */
export const payloadNames = {
  quantity: "count",
  term: "subscriptionLength",
  destination: "uid",
  prefix: "tenant",
  address: "address_id",
};

/**
 * Returns the function that stores the payload as an order in the caller's transaction. All calls to outside systems happen
 * before it.
 * @param requester left out for the current visitor
 * @throws DomainError bad_request on the field it concerns; not_found; unauthenticated; conflict; when it is run also
 *   price_changed, so that the transaction rolls back
 */
export async function orderWriter(
  request: RequestContext,
  sent: OrderPayload,
  requester: Requester = requesterOf(request),
): Promise<(trx: Trx) => Promise<OrderId>> {
  const subject = await subjectOf(request, sent);
  if (subject.offer.kind !== "ADDON") return keepingOf(request, subject, sent, requester);
  await requireAddOnBases(request.context.db, subject.offer.company.id, subject.offer.item);
  return keepingOf(request, subject, sent, requester).catch(ofItsBase);
}

interface Subject {
  offer: PurchaseContext;
  order: Order | null;
}

async function keepingOf(
  request: RequestContext,
  { offer, order }: Subject,
  sent: OrderPayload,
  requester: Requester,
): Promise<(trx: Trx) => Promise<OrderId>> {
  const term = sent.subscriptionLength ?? (sent.billingTerm === "Monthly" ? "P1M" : "P1Y");
  if (sent.billingTerm != null && (sent.billingTerm === "Monthly") !== (term === "P1M")) {
    throw wrongField("billingTerm", "This plan isn't available with that commitment.");
  }
  const answers = parseOr400(detailsSchemaOf(offer), {
    term,
    quantity: String(sent.count),
    domain: sent.domain ?? undefined,
    // A call hands the token over with POST /google/signup (docs/specification.md, section 7).
    ...(offer.kind === "NEW" && families[offer.item.family].domain !== null && { transferLater: "on" }),
    address: sent.address_id ?? undefined,
    ...(await destinationOf(request, offer, sent)),
  });
  const keep = await detailsWriter(request, offer, order, answers, requester);
  return async (trx) => {
    const id = await keep(trx);
    const kept = await lockOrder(trx, id);
    requireSameCustomerType(kept, sent);
    requireSameAmounts(kept, sent);
    return id;
  };
}

/** An add-on's destination is a subscription, which the payload names in a different field from a tenant. */
function ofItsBase(error: unknown): never {
  const message = error instanceof DomainError ? error.fields?.destination : undefined;
  throw message === undefined ? error : wrongField("parent_subscription_id", message);
}

async function subjectOf(request: RequestContext, sent: OrderPayload): Promise<Subject> {
  const item = await itemOf(request, sent);
  const country = marketOf(sent);
  if (sent.id != null && sent.id !== "") {
    const order = await ownOrder(request, sent.id);
    if (order.itemId !== item.id) throw wrongField("sku_id", `This order is for ${order.line.name}.`);
    if (order.country !== country) throw wrongField("country", "This order is for a different country.");
    return { offer: await purchaseContextOf(request, order), order };
  }
  const offer = await newOffer(request, item, country, sent);
  // A client that sends its session with every call also names the order. A browser that posts twice changes the draft it has
  // just begun.
  const order = request.raw.headers.has("authorization") ? null : await recentDraftOf(request, offer);
  return { offer, order };
}

/** The family of the plan it names. @throws DomainError bad_request without a plan; not_found */
export async function familyOf(request: RequestContext, sent: OrderPayload): Promise<FamilyId> {
  return (await itemOf(request, sent)).family;
}

async function itemOf({ context }: RequestContext, sent: OrderPayload): Promise<CatalogueItem> {
  const named = sent.sku_id ?? sent.itemId ?? sent.catalogItemId;
  if (named == null) throw wrongField("sku_id", "Please choose a plan.");
  const item = await findItem(context.db, named);
  if (item === null || (sent.item_family ?? item.family) !== item.family) throw notFound("plan");
  return item;
}

function marketOf({ country, console }: OrderPayload): Country {
  const byConsole = console == null ? null : countryOfConsoleCode(console);
  const market = country ?? byConsole;
  if (market === null) throw wrongField("country", "Country field is required.");
  if (byConsole !== null && byConsole !== market)
    throw wrongField("console", "This console is for a different country.");
  return market;
}

async function newOffer(
  request: RequestContext,
  item: CatalogueItem,
  country: Country,
  sent: OrderPayload,
): Promise<PurchaseContext> {
  const kind = sent.is_addon || item.isAddon ? "ADDON" : sent.is_new_contract ? "TUP" : "NEW";
  if (kind === "NEW") return { kind, item, country, company: null };
  if (request.session === null) throw new DomainError("unauthenticated", "Please sign in first.");
  if (kind === "ADDON" && !item.isAddon) throw wrongField("is_addon", "This plan is not an add-on.");
  const company = await companyOf(request);
  if (company === null)
    throw new DomainError("conflict", "Only an existing customer can add to a subscription.");
  if (company.country !== country) throw wrongField("country", "Your company is in a different country.");
  return { kind, item, country, company };
}

/** An existing customer's destination, under the field names of the page's form. */
async function destinationOf(
  request: RequestContext,
  { kind, item, company }: PurchaseContext,
  sent: OrderPayload,
) {
  if (kind === "NEW") return {};
  if (kind === "ADDON") return { destination: sent.parent_subscription_id ?? "" };
  const tenants = await listTenants(request.context.db, company.id, item.family);
  const known = tenants.find(({ id, externalId: external, domain }) =>
    sent.uid == null ? domain === sent.tenant : [id, external].some((name) => name === sent.uid),
  );
  if (known !== undefined) return { destination: known.id };
  const named = families[item.family].tenants?.newByName ?? null;
  if (named === null || sent.uid != null || sent.tenant == null) return { destination: "" };
  return { destination: "new", prefix: named.prefixOf(sent.tenant), username: sent.username ?? "admin" };
}

/**
 * The vendor's answer about the domain decides. A client that assumed another customer type has shown the buyer another
 * price.
 */
function requireSameCustomerType(order: Order, sent: OrderPayload): void {
  const found = order.details.google?.customerType;
  if (found !== "new_signup" && found !== "transfer_token") return;
  const said =
    sent.customer_type ??
    (sent.is_transfer_token_customer == null
      ? found
      : sent.is_transfer_token_customer
        ? "transfer_token"
        : "new_signup");
  if (said !== found) {
    throw wrongField(
      "customer_type",
      `This domain is ${found === "new_signup" ? `new at ${families[order.family].label}` : "to be transferred"}.`,
    );
  }
}
