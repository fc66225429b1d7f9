/** GET /placeorder: everything an order's review page shows. */
import { orderDetails, orderDetailsOf } from "./shared/order-details.ts";
import { ownOrder } from "./shared/own-order.ts";
import { apiLoader, orderOwnerAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "An order's details: what it is, what it costs, who it is for, and its payment.",
    notes: "Read-only: `razorpay_order_id` is empty until POST /api/capturepayment starts the payment.",
    tag: "Order",
    access: orderOwnerAccess,
    refuses: [404],
    query: z.object({ id: z.string().max(64).describe("the order's ID") }),
    reply: orderDetails,
  },
  async (request, { id }) => orderDetailsOf(request.context, await ownOrder(request, id)),
);
