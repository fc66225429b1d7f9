/** GET /get/stage: where an order stands (SPEC section 7); `state` changes with every move a waiting page must follow. */
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { consoleOf } from "#server/pricing/quote.ts";
import { consoleCode, stageField } from "../calls/fields.ts";
import { ownOrder } from "../calls/own-order.ts";
import { apiLoader, orderOwner, z } from "../http/api.ts";

export { getOnly as action } from "../http/api.ts";

export const loader = apiLoader(
  {
    summary: "Where an order stands, and the payment provider's public key.",
    notes: "Without an id it answers the key alone: `stage` is none, `console` India's, `other` empty.",
    tag: "Order",
    access: orderOwner,
    refuses: [404],
    query: z.object({ id: z.string().max(64).optional().describe("the order's id") }),
    reply: z.object({
      stage: stageField,
      console: consoleCode,
      other: z
        .string()
        .describe("where the buyer approves us as partner; empty when there is nothing to approve"),
      razorpay: z.string().describe("the payment provider's public key id"),
      state: z.string().describe("changes with everything that a page which waits must follow"),
    }),
  },
  async (page, { id }) => {
    const { db, razorpay } = page.context;
    if (id === undefined) {
      const nothing = { stage: "none", console: "IP", other: "", state: "none" } as const;
      return { ...nothing, razorpay: razorpay.keyId };
    }
    const order = await ownOrder(page, id);
    const invitation = await findInvitation(db, order.id);
    return {
      stage: order.stage,
      console: consoleOf(order.country),
      other: invitation?.link ?? "",
      razorpay: razorpay.keyId,
      state:
        order.fulfilmentStatus === "queued" || order.fulfilmentStatus === "running"
          ? order.stage
          : order.fulfilmentStatus,
    };
  },
);
