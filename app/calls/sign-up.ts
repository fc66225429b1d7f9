/** What the two sign-up calls share: the payload's common part, whose order it is, and what they answer (SPEC section 7). */
import { z } from "zod";
import type { Family } from "#db/tables/enums.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { findInvitation } from "#server/fulfilment/invitations.ts";
import type { Order } from "#server/orders/order.ts";
import { isPaid } from "#server/orders/order.ts";
import type { SignedInPage } from "../http/call.ts";
import { amount, consoleCode, flag, note, orderIdField, stageField } from "./fields.ts";
import { requireSameFigures } from "./figures.ts";
import { ownOrder } from "./own-order.ts";

/** Most of it the order knows already, and better: it is accepted as sent and left unused. */
export const signUpFields = {
  order_id: z.string().max(64).describe("the order, paid"),
  username: note.describe("of the administrator, or of the account the buyer has"),
  is_existing_customer: flag.nullish(),
  customerid: note,
  customer_name: note,
  account_id: note,
  userId: note,
  current_user: note,
  isCustomer: flag.nullish(),
  new_address: flag.nullish(),
  addressInfo: z
    .object({
      add1: note,
      add2: note,
      city: note,
      state: note,
      pincode: note,
      country: note,
      gst_code: note,
      organization_registration_number: note,
    })
    .nullish(),
  contactInfo: z.object({ first_name: note, last_name: note, email: note, phone: note }).nullish(),
  console: consoleCode.nullish(),
  country_code: note,
  currency: note,
  quantity: z.union([z.number(), note]).describe("compared, never used"),
  unit_price: amount.nullish().describe("compared, never used"),
  plan: note,
  billing_plan: note,
  itemid: note,
  is_addon: flag.nullish(),
  is_new_contract: flag.nullish(),
  parent_subscription_id: note,
  order_line_items: z.array(z.unknown()).max(20).nullish(),
};

export const signUpReply = z.object({
  status: z.enum(["Success", "Pending", "Error"]),
  message: z.string(),
  customerid: z.string(),
  order_id: orderIdField,
  stage: stageField,
  other: z.string().describe("where the buyer approves us, while that is waited for"),
});

export const refusedSignUp = (message: string) => ({ status: "Error", message, customerid: "" });

interface Sent {
  order_id: string;
  quantity?: unknown;
  unit_price?: number | null | undefined;
}

/**
 * Takes the answers of the sign-in step, and says how the order stands then. Sent again, or for an order that asks
 * nothing (a customer's, or brio's), it answers how it stands.
 * @throws DomainError not_found; conflict before the payment; price_changed; as `take`
 */
export async function signUp(
  page: SignedInPage,
  sent: Sent,
  family: Family,
  take: (order: Order) => Promise<void>,
): Promise<z.input<typeof signUpReply>> {
  const order = await ownOrder(page, sent.order_id);
  if (order.family !== family) throw notFound("order");
  if (!isPaid(order)) throw new DomainError("conflict", "This order is not paid yet.");
  requireSameFigures(order, { unit_price: sent.unit_price });
  if (sent.quantity != null && String(sent.quantity) !== String(order.line.quantity)) {
    throw new DomainError("price_changed", "Price has changed", {
      fields: { quantity: `It is ${order.line.quantity}.` },
    });
  }
  if (order.fulfilmentStatus === "waiting_for_signin") await take(order);
  return standing(page, await ownOrder(page, order.id));
}

async function standing(page: SignedInPage, order: Order): Promise<z.input<typeof signUpReply>> {
  const told = { customerid: order.customerId ?? "", order_id: order.id, stage: order.stage, other: "" };
  if (order.fulfilmentStatus === "needs_attention") {
    return {
      ...told,
      status: "Error",
      message: "Our team looks after this order. You will not be charged again.",
    };
  }
  if (order.fulfilmentStatus !== "waiting_for_signin") return { ...told, status: "Success", message: "" };
  const invitation = await findInvitation(page.context.db, order.id);
  if (invitation?.status === "pending") {
    const message = "Please approve the Microsoft partner relationship request.";
    return { ...told, status: "Pending", message, other: invitation.link ?? "" };
  }
  const message = order.details.signInProblem ?? "Please send the sign-in details again.";
  return { ...told, status: "Error", message };
}
