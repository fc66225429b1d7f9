/** GET /get/stage: where an order stands (SPEC section 7); `state` changes with every move a waiting page must follow. */
import { type OrderId, parseId } from "#db/ids.ts";
import { notFound } from "#server/errors.ts";
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { getOrderFor } from "#server/orders/find.ts";
import { consoleOf } from "#server/pricing/quote.ts";
import { apiLoader, z } from "../http/api.ts";
import { askerOf } from "../journey/guard.ts";

export const loader = apiLoader(z.object({ id: z.string().max(64).optional() }), async (page, { id }) => {
  const { db, razorpay } = page.context;
  if (id === undefined) return { razorpay: razorpay.keyId };
  const orderId = parseId<OrderId>(id);
  if (orderId === null) throw notFound("order");
  const order = await getOrderFor(db, orderId, askerOf(page));
  const invitation = await findInvitation(db, orderId);
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
});
