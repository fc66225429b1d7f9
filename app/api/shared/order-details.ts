/** Order details, the place-order reply, with the names of docs/specification.md, section 3. */

import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { findTenantOf } from "#server/accounts/tenants.ts";
import { openPayment } from "#server/billing/payments/begin.ts";
import { listPaymentsOf } from "#server/billing/payments/find.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { english } from "#server/foundation/languages/text.ts";
import { findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { emptyAccountAnswers } from "#server/orders/account-answers.ts";
import type { Context } from "#server/platform/context.ts";
import { agreementPath } from "../../journey/guard.ts";
import { unitPrices } from "./amounts.ts";
import { inCurrency, major, orderIdField, pricesField, stageField, termField } from "./fields.ts";

const text = z.string();
const billing = z.enum(["Annually", "Monthly"]);

/** The buyer of an order, as far as it is known. */
export const shippingField = z.object({
  add1: text,
  add2: text,
  city: text,
  state: text,
  country: text,
  gst_code: text,
});

export function shippingOf({ account, country }: Order): z.input<typeof shippingField> {
  const { addressLine1, addressLine2, city, state } = account ?? emptyAccountAnswers;
  return {
    add1: addressLine1,
    add2: addressLine2,
    city,
    state,
    country: account === null ? "" : country,
    gst_code: account?.gst_code ?? "",
  };
}

export const orderDetails = z.object({
  name: text,
  commitment: termField,
  billing,
  quantity: z.int(),
  unit_price: pricesField,
  secondary_unit_price: pricesField.describe("Google's sign-up price; 0 where it does not apply"),
  total_price: major.describe("before tax"),
  tax_amount: major,
  Estimate_tax: major.describe("0 where no tax is charged"),
  grand_total: major.describe("what is paid: whole rupees, or dollars and cents"),
  customer_name: text,
  customerid: text,
  address: text,
  email: text,
  phone: text,
  stage: stageField,
  razorpay_order_id: text.describe("the payment provider's order, while a payment is open; else empty"),
  amount: z.int().describe("what the checkout is opened with, in paise or cents"),
  currency: z.enum(currencies),
  agreement: text.describe(
    "the address of the vendor's agreement with the buyer, accepted with the terms; empty for none",
  ),
  order_details: z.object({
    order: z.object({
      id: orderIdField,
      accountid: text,
      customerid: text,
      payment_status: z.enum([
        "none",
        "pending",
        "completed",
        "failed",
        "partly_refunded",
        "refunded",
        "disputed",
        "lost",
      ]),
      payment_details: z.object({
        id: text.describe("the provider's payment, once there is one that counts"),
        total_amount: major,
        problem: text.describe("why a payment was not accepted"),
      }),
      invitation_accepted: z.boolean(),
      shipping_address: shippingField,
      order_line_items: z.array(z.object({ id: text, commitment: termField, billing, catalogItemId: text })),
      properties: z.object({
        firstname: text,
        lastname: text,
        email: text,
        phone: text,
        addres: z.array(text).length(2),
        city: text,
        state: text,
        pincode: text,
        country: text,
        organisationRegistrationNumber: text,
        isCustomer: z.boolean(),
        new_address: z.boolean(),
        domain: text,
        tenant: text,
        uid: text,
        is_transfer_token_customer: z.boolean(),
        google_user_created: z.boolean(),
        parent_subscription_id: text,
      }),
    }),
  }),
});

export async function orderDetailsOf(context: Context, order: Order): Promise<z.input<typeof orderDetails>> {
  const { db } = context;
  const { line, details, signIn } = order;
  const account = order.account ?? emptyAccountAnswers;
  const { unit, signup } = unitPrices(order);
  const commitment = line.term;
  const billed = line.billingCycle === "annual" ? "Annually" : "Monthly";
  const open = await openPayment(context, order);
  const invitation = await findOrderInvitation(db, order.id);
  const tenant = await findTenantOf(db, order);
  const country = order.account === null ? "" : order.country;
  const customerid = order.customerId ?? "";
  const { addressLine1, addressLine2, city, state, pincode, email, phoneNumber } = account;
  return {
    name: line.name,
    commitment,
    billing: billed,
    quantity: line.quantity,
    unit_price: inCurrency(unit),
    secondary_unit_price: inCurrency(signup),
    total_price: toMajor(order.subtotal),
    tax_amount: toMajor(order.tax),
    Estimate_tax: toMajor(order.tax),
    grand_total: toMajor(order.total),
    customer_name: account.companyName,
    customerid,
    address: [addressLine1, addressLine2, city, `${state} ${pincode}`.trim(), country]
      .filter((part) => part !== "")
      .join(", "),
    email,
    phone: phoneNumber,
    stage: order.stage,
    razorpay_order_id: open?.providerOrderId ?? "",
    amount: order.total.minor,
    currency: order.total.currency,
    agreement: families[order.family].agreement === null ? "" : agreementPath(order),
    order_details: {
      order: {
        id: order.id,
        accountid: order.userId ?? "",
        customerid,
        payment_status: order.paymentStatus,
        payment_details: await paymentOf(context, order),
        invitation_accepted: invitation?.status === "accepted",
        shipping_address: shippingOf(order),
        order_line_items: [{ id: line.itemId, commitment, billing: billed, catalogItemId: line.sku }],
        properties: {
          firstname: account.firstName,
          lastname: account.lastName,
          email,
          phone: phoneNumber,
          addres: [addressLine1, addressLine2],
          city,
          state,
          pincode,
          country,
          organisationRegistrationNumber: account.organisationRegistrationNumber,
          isCustomer: order.kind !== "NEW",
          new_address: details.addressChoice !== "saved",
          domain: details.google?.domain ?? "",
          tenant: tenant?.domain ?? "",
          uid: tenant?.externalId ?? "",
          is_transfer_token_customer: details.google?.customerType === "transfer_token",
          google_user_created: signIn?.mode === "google-new",
          parent_subscription_id: order.parentSubscriptionId ?? "",
        },
      },
    },
  };
}

/** The payment that counts. Without one, the problem of the latest other payment. */
async function paymentOf({ db }: Context, order: Order) {
  const payments = await listPaymentsOf(db, order.id);
  const paid = payments.find(({ status }) => status === "captured");
  return {
    id: paid?.providerPaymentId ?? "",
    total_amount: toMajor(order.total),
    problem: paid === undefined ? english(payments.at(-1)?.problem ?? "") : "",
  };
}
