/** An order as the rest of the product knows it: rows read once, their json checked, money made of minor units. */

import { z } from "zod";
import type { FamilyId } from "#db/tables/enums.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId, UserId } from "./ids.ts";
import { type Money, money } from "./money.ts";
import { countryRows } from "./seed/countries.ts";
import type {
  BillingCycle,
  Country,
  FulfilmentStatus,
  OrderKind,
  PaymentStatus,
  Stage,
  Term,
} from "./tables/enums.ts";
import type { OrderLineRow, OrderRow } from "./tables/orders.ts";

/** The answers of Create Account (docs/specification.md, section 3), frozen with the order. */
export const accountSchema = z.object({
  companyName: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phoneCode: z.templateLiteral(["+", z.int()]),
  phoneNumber: z.string(),
  addressLine1: z.string(),
  addressLine2: z.string(),
  city: z.string(),
  state: z.string(),
  pincode: z.string(),
  country: z.enum(countryRows.map(({ code }) => code)),
  organisationRegistrationNumber: z.string(),
  gst_code: z.string().nullable(),
});
export type AccountAnswers = z.infer<typeof accountSchema>;

/**
 * What a buyer has begun to say at Create Account: how the address was chosen, and what was typed before an account that
 * already existed sent them to log in. Kept on the server, so that it survives the way to the login and back.
 */
export const detailsSchema = z.object({
  addressChoice: z.enum(["gst", "saved", "manual"]).optional(),
  /** The saved address picked; its fields are then read-only. */
  addressId: z.string().optional(),
  typed: accountSchema.partial().optional(),
  /**
   * Google: the domain asked for, and whether it is new there, comes from another reseller, or is the buyer's with us already.
   */
  google: z
    .object({
      domain: z.string(),
      customerType: z.enum(["new_signup", "transfer_token", "existing_customer"]),
    })
    .optional(),
  /**
   * Buy more: how much of the term the price is for, and the end that it was counted to (ISO 8601; docs/decisions/proration.md).
   */
  proration: z.object({ daysLeft: z.number(), daysInTerm: z.number(), until: z.string() }).optional(),
  /** Renewal: the end of the term that the new one follows (ISO 8601). */
  renewal: z.object({ after: z.string() }).optional(),
  /** What an existing customer adds to, in the words the review shows: a domain, or an add-on's base. */
  addedTo: z.string().optional(),
  /** What this order has made and may put right until it is paid (made.ts). */
  made: z
    .object({
      userId: z.string().optional(),
      customerId: z.string().optional(),
      addressId: z.string().optional(),
    })
    .optional(),
  /** Why the provider would not make the tenant as asked; the sign-in step shows it and asks again. */
  signInProblem: z.string().optional(),
});
export type OrderDetails = z.infer<typeof detailsSchema>;

/**
 * The answers of the sign-in step. Microsoft: a tenant to be made, or one the buyer has. Google: an administrator to be
 * made, or a transfer. Passwords and transfer tokens are not among them: they are kept encrypted as credentials.
 */
export const signInSchema = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("new"), username: z.string(), prefix: z.string() }),
  z.object({ mode: z.literal("existing"), username: z.string() }),
  z.object({ mode: z.literal("google-new"), username: z.string() }),
  z.object({ mode: z.literal("google-transfer") }),
]);
export type SignInAnswers = z.infer<typeof signInSchema>;

export interface OrderLine {
  itemId: ItemId;
  name: string;
  sku: string;
  term: Term;
  billingCycle: BillingCycle;
  quantity: number;
  unitPrice: Money;
  signupPrice: Money | null;
  subtotal: Money;
}

export interface Order {
  id: OrderId;
  kind: OrderKind;
  family: FamilyId;
  itemId: ItemId;
  country: Country;
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
  /** Counts writes; a write names the version it read, so that two racers cannot both win. */
  version: number;
  userId: UserId | null;
  customerId: CustomerId | null;
  tenantId: TenantId | null;
  subscriptionId: SubscriptionId | null;
  /** The base subscription of an add-on. */
  parentSubscriptionId: SubscriptionId | null;
  draftKey: string | null;
  details: OrderDetails;
  account: AccountAnswers | null;
  signIn: SignInAnswers | null;
  line: OrderLine;
  taxRateBasisPoints: number;
  subtotal: Money;
  tax: Money;
  rounding: Money;
  total: Money;
  pricedAt: Date;
  termsAcceptedAt: Date | null;
  createdAt: Date;
  paidAt: Date | null;
  /** When it was taken out of the cart; null while it is there, or was never. */
  removedAt: Date | null;
}

/** @throws ZodError when a stored answer is not of its schema: a fault of ours, never of the buyer's */
export function toOrder(row: OrderRow, line: OrderLineRow): Order {
  const amount = (minor: number) => money(minor, row.currency);
  return {
    id: row.id,
    kind: row.kind,
    family: row.family,
    itemId: row.item_id,
    country: row.country,
    stage: row.stage,
    paymentStatus: row.payment_status,
    fulfilmentStatus: row.fulfilment_status,
    version: row.version,
    userId: row.user_id,
    customerId: row.customer_id,
    tenantId: row.tenant_id,
    subscriptionId: row.subscription_id,
    parentSubscriptionId: row.parent_subscription_id,
    draftKey: row.draft_key,
    details: detailsSchema.parse(row.details),
    account: row.account === null ? null : accountSchema.parse(row.account),
    signIn: row.signin === null ? null : signInSchema.parse(row.signin),
    line: {
      itemId: line.item_id,
      name: line.name,
      sku: line.sku,
      term: line.term,
      billingCycle: line.billing_cycle,
      quantity: line.quantity,
      unitPrice: amount(line.unit_price_minor),
      signupPrice: line.signup_price_minor === null ? null : amount(line.signup_price_minor),
      subtotal: amount(line.subtotal_minor),
    },
    taxRateBasisPoints: row.tax_rate_basis_points,
    subtotal: amount(row.subtotal_minor),
    tax: amount(row.tax_minor),
    rounding: amount(row.rounding_minor),
    total: amount(row.total_minor),
    pricedAt: row.priced_at,
    termsAcceptedAt: row.terms_accepted_at,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    removedAt: row.removed_at,
  };
}
