/** GET /reseller/invitation/status: whether the partner request of an order was approved (SPEC section 7). Reads only our row. */
import { type OrderId, parseId } from "#db/ids.ts";
import { notFound } from "#server/errors.ts";
import { findInvitation } from "#server/fulfilment/invitations.ts";
import { getOrderFor } from "#server/orders/find.ts";
import { apiLoader, z } from "../http/api.ts";
import { askerOf } from "../journey/guard.ts";

const query = z.object({ id: z.string().max(64), email: z.string().max(200).optional() });

export const loader = apiLoader(query, async (page, { id }) => {
  const orderId = parseId<OrderId>(id);
  if (orderId === null) throw notFound("order");
  await getOrderFor(page.context.db, orderId, askerOf(page));
  const invitation = await findInvitation(page.context.db, orderId);
  const accepted = invitation?.status === "accepted";
  return {
    state: invitation?.status ?? "none",
    cached_data: { invitation_accepted: accepted },
    o365_uid: accepted ? invitation.tenant_external_id : null,
  };
});
