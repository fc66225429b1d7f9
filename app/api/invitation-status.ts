/**
 * GET /reseller/invitation/status: whether an order's partner request was approved. Reads only our own row, never the vendor.
 */
import { findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { ownOrder } from "./shared/own-order.ts";
import { apiLoader, orderOwnerAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether the buyer's own Microsoft account has approved us as partner.",
    tag: "Sign-In",
    access: orderOwnerAccess,
    refuses: [404],
    query: z.object({
      id: z.string().max(64).describe("the order's ID"),
      email: z.string().max(200).optional(),
    }),
    reply: z.object({
      state: z.string(),
      cached_data: z.object({ invitation_accepted: z.boolean() }),
      o365_uid: z.string().nullable().describe("the account, once it has approved us"),
    }),
  },
  async (request, { id }) => {
    const order = await ownOrder(request, id);
    const invitation = await findOrderInvitation(request.context.db, order.id);
    const accepted = invitation?.status === "accepted";
    return {
      state: invitation?.status ?? "none",
      cached_data: { invitation_accepted: accepted },
      o365_uid: accepted ? invitation.tenantExternalId : null,
    };
  },
);
