/** GET and POST /subscriptiondetails: a plan's prices, and the first step of an order. */
import { priceKey } from "#server/catalogue/card.ts";
import { findItem } from "#server/catalogue/items.ts";
import { findLowestPrice, priceOf } from "#server/catalogue/prices.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { plansOf } from "#server/orders/pricing.ts";
import { withDraftKey } from "../http/draft-key.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { amountFields, amountsOf } from "./shared/amounts.ts";
import {
  countryField,
  familyField,
  ignoredText,
  orderIdField,
  seatLimits,
  signupPricesField,
  stageField,
  termField,
} from "./shared/fields.ts";
import { orderPayload, orderWriter, payloadNames } from "./shared/order-payload.ts";
import { ownOrder } from "./shared/own-order.ts";
import { apiLoader, jsonAction, notFound, optionalSessionAccess, publicAccess, z } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "A plan's terms and prices, for setting an order up.",
    tag: "Order",
    access: publicAccess,
    refuses: [404],
    query: z.object({
      country: countryField,
      item_id: ignoredText.describe("the plan by its id; or sku_id"),
      item_family: familyField.optional(),
      sku_id: ignoredText,
    }),
    reply: z.object({
      item: z.object({
        id: z.string(),
        name: z.string(),
        attrib01: z.string().describe("the sku"),
        monthly_price: signupPricesField.describe(
          "per seat per month: of the monthly term, or a twelfth of the year",
        ),
        annual_price: signupPricesField.describe("a seat a year"),
      }),
      availabilitydata: z.object({
        terms: z
          .array(termField)
          .describe("the commitments it is sold with in this country, the longest first"),
        catalogItemId: z.string(),
        ...seatLimits,
      }),
    }),
  },
  async ({ context }, { country, item_id: id, item_family: family, sku_id: sku }) => {
    const named = sku ?? id;
    if (named == null) {
      const message = "Please choose a plan.";
      throw new DomainError("bad_request", message, { fields: { item_id: message } });
    }
    const item = await findItem(context.db, named);
    if (item === null || (family ?? item.family) !== item.family) throw notFound("plan");
    const annual: z.input<typeof signupPricesField> = {};
    const monthly: z.input<typeof signupPricesField> = {};
    for (const currency of currencies) {
      for (const kind of ["regular", "signup"] as const) {
        const key = priceKey(currency, kind);
        const year = priceOf(item, { currency, kind, term: "P1Y", billingCycle: "annual" });
        const month =
          priceOf(item, { currency, kind, term: "P1M", billingCycle: "monthly" })?.amount ??
          findLowestPrice(item, currency, kind)?.perMonth;
        if (year !== null) annual[key] = toMajor(year.amount);
        if (month !== undefined) monthly[key] = toMajor(month);
      }
    }
    return {
      item: {
        id: item.id,
        name: item.name,
        attrib01: item.sku,
        monthly_price: monthly,
        annual_price: annual,
      },
      // The choices an order can be placed with. Availability itself changes, and is checked when ordering.
      availabilitydata: {
        terms: plansOf(item, country).map(({ term }) => term),
        catalogItemId: item.sku,
        min_quantity: item.minSeats,
        max_quantity: item.maxSeats,
      },
    };
  },
);

export const action = jsonAction(
  {
    summary: "Starts an order, or changes an unpaid one.",
    notes:
      "Amounts are checked, never used: a mismatch returns `status` fail and `Error` Price has changed, with the current values in `fields`, and saves nothing. A visitor's order belongs to the browser's draft cookie; a client without cookies sends the same payload with the account form to POST /create/order.",
    tag: "Order",
    access: optionalSessionAccess,
    refuses: [401, 403, 404, 409, 503],
    limit: rateLimits.beginOrder,
    idempotent: true,
    alsoGet: true,
    refusedAs: (message) => ({ id: "", status: "fail", Error: message }),
    fieldNames: payloadNames,
    body: orderPayload,
    reply: z.object({
      id: orderIdField,
      status: z.literal("success"),
      Error: z.literal(""),
      stage: stageField,
      url: z.string().describe("the order's own page, which opens at the step it stands at"),
      ...amountFields,
    }),
  },
  async (request, sent) => {
    const id = await withDraftKey(request, async () =>
      request.context.db.transaction().execute(await orderWriter(request, sent)),
    );
    const order = await ownOrder(request, id);
    return {
      id: order.id,
      status: "success" as const,
      Error: "" as const,
      stage: order.stage,
      url: orderPath(order),
      ...amountsOf(order),
    };
  },
);
