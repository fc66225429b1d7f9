/** Handles a post of Subscription Details, in every journey. */
import { redirect } from "@remix-run/node";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { queryGstRegister } from "#server/accounts/gst-lookup.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { notFound, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { readTransferToken, saveTransferToken } from "#server/orders/domain.ts";
import { beginOrder, changeSelection, type Placement } from "#server/orders/draft.ts";
import { listTenants, placeAddOn, placeSubscription } from "#server/orders/existing-customer.ts";
import { findOrder } from "#server/orders/find.ts";
import { requireSoldIn } from "#server/orders/market-availability.ts";
import type { Selection } from "#server/orders/pricing.ts";
import { placeChange } from "#server/orders/subscription-change.ts";
import {
  addOnDetailsSchema,
  changeDetailsSchema,
  customerDetailsSchema,
  detailsSchema,
  domainDetailsSchema,
  tenantDetailsSchema,
} from "../../forms/schemas.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { currentPath, requesterOf } from "../guard.ts";
import { updateTotalIntent } from "./live-total.tsx";
import { companyOf, type PurchaseContext, recentDraftOf } from "./purchase-context.ts";

/** The step's message when a fault of ours stops its post. */
export const detailsBroken = msg("details.failed", { error: msg("steps.ourFault") });

export function detailsSchemaOf({ kind, item }: PurchaseContext) {
  if (kind === "ADD" || kind === "RENEW") return changeDetailsSchema;
  if (kind === "ADDON") return addOnDetailsSchema;
  if (kind === "TUP")
    return families[item.family].tenants === null ? customerDetailsSchema : tenantDetailsSchema;
  return families[item.family].domain === null ? detailsSchema : domainDetailsSchema;
}

/** The output of any of those schemas. */
export interface Answers {
  /** Left out when the subscription already has its term. */
  term?: "P1Y" | "P1M";
  quantity: number;
  domain?: string;
  destination?: string;
  username?: string | undefined;
  prefix?: string | undefined;
  address?: string | undefined;
  transferToken?: string | undefined;
  transferLater?: "on" | undefined;
}

/** The form of a new order's step. @param offer read once, for schema and handler */
export function newOrderForm(request: RequestContext, offer: PurchaseContext) {
  return {
    schema: detailsSchemaOf(offer),
    redrawnBy: updateTotalIntent,
    handler: async (_request: RequestContext, _params: unknown, answers: Answers) =>
      saveDetails(request, offer, await recentDraftOf(request, offer), answers),
  };
}

/**
 * Posts the step: begins an order, or updates the given one.
 * @returns the redirect to the order's next step
 * @throws as detailsWriter
 */
export async function saveDetails(
  request: RequestContext,
  offer: PurchaseContext,
  order: Order | null,
  answers: Answers,
): Promise<Response> {
  const { db } = request.context;
  const save = await detailsWriter(request, offer, order, answers);
  const id = await db.transaction().execute(save);
  const saved = await findOrder(db, id);
  if (saved === null) throw notFound("order");
  return redirect(currentPath(saved), 303);
}

/**
 * Returns the function that writes the step. The domain and destination are checked first, outside a transaction.
 * @param requester left out for the current visitor
 * @throws DomainError on the field it concerns; forbidden for a viewer; conflict once paid, and where the family is not open
 */
export async function detailsWriter(
  request: RequestContext,
  offer: PurchaseContext,
  order: Order | null,
  answers: Answers,
  requester = requesterOf(request),
): Promise<(trx: Trx) => Promise<OrderId>> {
  const { item, country } = offer;
  const { env } = request.context;
  // Check this before asking the vendor about a domain.
  requireSoldIn(env, item.family, country);
  const { selection, placement, transferToken = null } = await placed(request, offer, order, answers);
  if (placement !== null) await queryGstRegister(request.context, placement.account, request.clientAddress);
  const { sellers } = env;
  const posted = { item, country, selection, placement, requester, sellers, now: new Date() };
  return async (trx) => {
    if (order !== null) await changeSelection(trx, { ...posted, orderId: order.id });
    const id = order?.id ?? (await beginOrder(trx, posted));
    if (offer.kind === "NEW") await saveTransferToken(request.context, trx, id, transferToken);
    return id;
  };
}

async function placed(
  request: RequestContext,
  offer: PurchaseContext,
  order: Order | null,
  answers: Answers,
): Promise<{ selection: Selection; placement: Placement | null; transferToken?: string | null }> {
  const { context, clientAddress } = request;
  const { quantity, destination = "", username = "", prefix = "", address = null } = answers;
  if ("subscription" in offer) {
    return placeChange(context.db, { ...offer, quantity, addressId: address, now: new Date() });
  }
  const { term = "P1Y" } = answers;
  const selection = { term, quantity, billingCycle: billingOf[term] };
  const { kind, item, country, company } = offer;
  if (kind === "NEW") {
    const rules = families[item.family].domain;
    if (rules === null || answers.domain === undefined) return { selection, placement: null };
    await refuseOwnDomain(request, item.family, answers.domain);
    const { domain, transferLater } = answers;
    const transferToken =
      answers.transferToken ??
      (transferLater === undefined ? await readTransferToken(context, order, domain) : null);
    const google = await rules.require(
      context,
      { domain, plan: { itemId: item.id, country, name: item.name }, quantity, transferToken },
      clientAddress,
    );
    if (google.customerType !== "transfer_token") {
      return { selection: { ...selection, google }, placement: null };
    }
    if (transferToken === null && transferLater === undefined)
      throw wrongField("transferToken", msg("families.tokenMissing"));
    return { selection: { ...selection, google }, placement: null, transferToken };
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

/** A customer who enters its own domain in a new order must add the plan to it instead of signing the domain up again. */
async function refuseOwnDomain(request: RequestContext, family: FamilyId, domain: string): Promise<void> {
  const company = await companyOf(request);
  const own = company === null ? [] : await listTenants(request.context.db, company.id, family);
  if (own.some((tenant) => tenant.domain === domain)) throw wrongField("domain", msg("families.ownDomain"));
}

/** The billing cycle of each commitment: in full and in advance (docs/specification.md, section 9.1). */
const billingOf = { P1Y: "annual", P1M: "monthly" } as const;
