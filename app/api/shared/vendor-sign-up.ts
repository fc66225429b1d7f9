/** Shared by the two sign-up calls: the common part of the payload, the order's ownership check, and the reply. */
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { SignInInput } from "#server/catalogue/families/family.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { approvalOf, isApprovalPending } from "#server/fulfilment/approval.ts";
import { hasSameAnswers } from "#server/fulfilment/sign-in-step.ts";
import { needsSignIn } from "#server/orders/order-lifecycle.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requireSameAmounts } from "./amounts.ts";
import type { SignedInContext } from "./endpoint.ts";
import { amount, consoleCode, flag, ignoredText, orderIdField, stageField } from "./fields.ts";
import { ownOrder } from "./own-order.ts";

/** Fields that are accepted and ignored: the order already holds most of them, more reliably. */
export const signUpFields = {
  order_id: z.string().max(64).describe("a paid order"),
  username: ignoredText.describe("of the administrator, or of the account the buyer has"),
  is_existing_customer: flag.nullish(),
  customerid: ignoredText,
  customer_name: ignoredText,
  account_id: ignoredText,
  userId: ignoredText,
  current_user: ignoredText,
  isCustomer: flag.nullish(),
  new_address: flag.nullish(),
  addressInfo: z
    .object({
      add1: ignoredText,
      add2: ignoredText,
      city: ignoredText,
      state: ignoredText,
      pincode: ignoredText,
      country: ignoredText,
      gst_code: ignoredText,
      organization_registration_number: ignoredText,
    })
    .nullish(),
  contactInfo: z
    .object({ first_name: ignoredText, last_name: ignoredText, email: ignoredText, phone: ignoredText })
    .nullish(),
  console: consoleCode.nullish(),
  country_code: ignoredText,
  currency: ignoredText,
  quantity: z.union([z.number(), ignoredText]).describe("compared, never used"),
  unit_price: amount.nullish().describe("compared, never used"),
  plan: ignoredText,
  billing_plan: ignoredText,
  itemid: ignoredText,
  is_addon: flag.nullish(),
  is_new_contract: flag.nullish(),
  parent_subscription_id: ignoredText,
  order_line_items: z.array(z.unknown()).max(20).nullish(),
};

export const signUpReply = z.object({
  status: z.enum(["Success", "Pending", "Error"]),
  message: z.string(),
  customerid: z.string(),
  order_id: orderIdField,
  stage: stageField,
  other: z.string().describe("URL where an administrator confirms the order, while pending"),
});

export const refusedSignUp = (message: string) => ({ status: "Error", message, customerid: "" });

interface Sent {
  order_id: string;
  quantity?: unknown;
  unit_price?: number | null | undefined;
}

/** Reads and applies the payload of one family's call. */
interface SignUpOf<Given> {
  family: FamilyId;
  /** False for a repeat that only asks for the order's status. */
  saysAnything: boolean;
  /** @throws DomainError bad_request */
  read(order: Order): Given;
  take(order: Order, given: Given): Promise<void>;
}

/**
 * Takes the answers of the sign-in step and returns the order's status. A repeat with the same answers, or a post for an
 * order without a sign-in step (a customer's, or brio's), only returns the status.
 * @throws DomainError not_found; bad_request for an order of another family; conflict before the payment, and for answers
 *   that differ from those being carried out; price_changed; as `take`
 */
export async function answerSignInStep<Given extends SignInInput>(
  request: SignedInContext,
  sent: Sent,
  { family, saysAnything, read, take }: SignUpOf<Given>,
): Promise<z.input<typeof signUpReply>> {
  const order = await ownOrder(request, sent.order_id);
  if (order.family !== family) {
    throw wrongField("order_id", `This call doesn't accept orders for ${order.line.name}.`);
  }
  if (!isPaid(order)) throw new DomainError("conflict", "This order is not paid yet.");
  requireSameAmounts(order, { unit_price: sent.unit_price });
  if (sent.quantity != null && String(sent.quantity) !== String(order.line.quantity)) {
    throw new DomainError("price_changed", "Price has changed", {
      fields: { quantity: `It is ${order.line.quantity}.` },
    });
  }
  if (needsSignIn(order.kind, order.family)) {
    if (order.fulfilmentStatus === "waiting_for_signin") await take(order, read(order));
    else if (saysAnything && !(await hasSameAnswers(request.context, order, read(order)))) {
      throw new DomainError(
        "conflict",
        "This order is being set up with different details. If they're rejected, GET /get/stage says so and you can send new ones.",
      );
    }
  }
  return standing(request, await ownOrder(request, order.id));
}

async function standing(request: SignedInContext, order: Order): Promise<z.input<typeof signUpReply>> {
  const status = { customerid: order.customerId ?? "", order_id: order.id, stage: order.stage, other: "" };
  if (order.fulfilmentStatus === "needs_attention") {
    return {
      ...status,
      status: "Error",
      message: "Our team is working on this order. You won't be charged again.",
    };
  }
  if (order.fulfilmentStatus !== "waiting_for_signin") return { ...status, status: "Success", message: "" };
  const approval = await approvalOf(request.context.db, order, new Date());
  if (isApprovalPending(approval)) {
    const message = `An administrator of ${approval.domain} needs to confirm this order and accept us as a partner.`;
    return { ...status, status: "Pending", message, other: approvalUrl(request, order) };
  }
  const message = order.details.signInProblem ?? "Please send the sign-in details again.";
  return { ...status, status: "Error", message };
}

/** The page where a person gives the approval that the order waits for. */
export function approvalUrl({ context }: RequestContext, { id }: Pick<Order, "id">): string {
  return `${context.env.PUBLIC_URL}${paths.approval(id)}`;
}
