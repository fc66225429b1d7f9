/** The order as the rest of the store sees it: rows mapped once, JSON validated, minor units converted to money. */

import { z } from "zod";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId, UserId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import { countryRows } from "#db/seed/countries.ts";
import type {
  BillingCycle,
  Country,
  FamilyId,
  FulfilmentStatus,
  OrderKind,
  PaymentStatus,
  Stage,
  Term,
} from "#db/tables/enums.ts";
import type { OrderLineRow, OrderRow } from "#db/tables/orders.ts";

/** The answers given at Create Account (docs/specification.md, section 3), stored with the order. */
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

/** The parts of a company's address that a vendor validates. */
export const placeOfBusinessSchema = accountSchema.pick({
  addressLine1: true,
  addressLine2: true,
  city: true,
  state: true,
  pincode: true,
});
export type PlaceOfBusiness = z.infer<typeof placeOfBusinessSchema>;

/**
 * GST treatment of a supply, in the codes of the invoice registration portal: to a registered business (B2B), to anyone else
 * (B2C), to a special economic zone (SEZ) or abroad (EXP); with payment of tax (WP) or without (WOP).
 */
export const supplyTypes = ["B2B", "B2C", "SEZWP", "SEZWOP", "EXPWP", "EXPWOP"] as const;
export const supplySchema = z.object({
  type: z.enum(supplyTypes),
  /** Number of the letter of undertaking; null when tax is paid. */
  letter: z.string().nullable(),
});
export type SupplyType = (typeof supplyTypes)[number];
export type Supply = z.infer<typeof supplySchema>;

/**
 * Entries of an unfinished Create Account: the source of the address, and the fields typed before an existing account had to
 * log in. Stored on the server, so that they survive the login.
 */
export const detailsSchema = z.object({
  addressChoice: z.enum(["gst", "saved", "manual"]).optional(),
  /** The chosen saved address; its fields are read-only. */
  addressId: z.string().optional(),
  typed: accountSchema.partial().optional(),
  /** The vendor's spellings of the typed address, until the buyer chooses one. */
  suggestions: z.array(placeOfBusinessSchema).optional(),
  /**
   * Google: the requested domain, and whether it is new at Google, comes from another reseller, or is already the buyer's
   * with us.
   */
  google: z
    .object({
      domain: z.string(),
      customerType: z.enum(["new_signup", "transfer_token", "existing_customer"]),
      /**
       * Subscriptions that move with the domain, as Google reported with the transfer token: the ordered plan with at least
       * `minSeats`, or null for none. Undefined until there is a token.
       */
      moves: z.object({ minSeats: z.int() }).nullable().optional(),
    })
    .optional(),
  /**
   * Buy more: the share of the term that the price covers, and the end it was calculated to (ISO 8601;
   * docs/decisions/prices.md#proration).
   */
  proration: z.object({ daysLeft: z.number(), daysInTerm: z.number(), until: z.string() }).optional(),
  /**
   * List price of a licence for a whole billing period in minor units, the time since when it applies (ISO 8601), and its price
   * list. Missing in orders from earlier versions.
   */
  priced: z.object({ fullMinor: z.int(), since: z.string(), list: z.int().nullable() }).optional(),
  /** Renewals: the end of the term that the new one follows (ISO 8601). */
  renewal: z
    .object({
      after: z.string(),
      /** The day of the month on which terms end, 1 to 31; missing in orders from an earlier version. */
      anchorDay: z.int().min(1).max(31).optional(),
    })
    .optional(),
  /** The domain or base subscription that an existing customer adds to, as shown at the review. */
  addedTo: z.string().optional(),
  /** GST treatment as priced. Missing in orders from earlier versions, and where the seller is not registered for GST. */
  supply: supplySchema.optional(),
  /**
   * Rows that this order created and may correct until it is paid: the provisional account
   * (server/orders/provisional-account.ts).
   */
  made: z
    .object({
      userId: z.string().optional(),
      customerId: z.string().optional(),
      addressId: z.string().optional(),
    })
    .optional(),
  /** The provider's reason for refusing to create the tenant, in English. The sign-in step shows it with the form. */
  signInProblem: z.string().optional(),
  /** The vendor's state of the order as an English sentence for the buyer, while it waits or needs attention. */
  note: z.string().optional(),
  /** The messages of which `signInProblem` and `note` are the English (server/foundation/languages/stored-messages.ts). */
  signInProblemMessage: z.string().optional(),
  noteMessage: z.string().optional(),
});
export type OrderDetails = z.infer<typeof detailsSchema>;

/**
 * The answers of the sign-in step. Microsoft: a new tenant, or the buyer's existing one. Google: a new administrator, or a
 * transfer. Passwords and transfer tokens are not here: they are stored encrypted as credentials.
 */
export const signInSchema = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("new"), username: z.string(), prefix: z.string() }),
  z.object({ mode: z.literal("existing"), username: z.string() }),
  z.object({ mode: z.literal("google-new"), username: z.string() }),
  z.object({ mode: z.literal("google-transfer") }),
]);
export type SignInAnswers = z.infer<typeof signInSchema>;

/** The buyer's own references for an order, printed on its documents. The store does not interpret them. */
export interface OrderReferences {
  /** The number of the buyer's purchase order. */
  purchaseOrder: string | null;
  costCentre: string | null;
  /** Free text that the buyer wants on the documents. */
  note: string | null;
}

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
  /** Increases over all orders (server/orders/number.ts). */
  number: number;
  kind: OrderKind;
  family: FamilyId;
  itemId: ItemId;
  country: Country;
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
  /** Optimistic lock: counts writes. A write names the version it read, so that only one of two concurrent writes succeeds. */
  version: number;
  userId: UserId | null;
  customerId: CustomerId | null;
  tenantId: TenantId | null;
  subscriptionId: SubscriptionId | null;
  /** The base subscription of an add-on. */
  parentSubscriptionId: SubscriptionId | null;
  draftKey: string | null;
  /** Language of the buyer's emails; null while unknown. */
  language: string | null;
  details: OrderDetails;
  account: AccountAnswers | null;
  signIn: SignInAnswers | null;
  references: OrderReferences;
  line: OrderLine;
  taxRateBasisPoints: number;
  subtotal: Money;
  tax: Money;
  rounding: Money;
  total: Money;
  pricedAt: Date;
  /** Whether the order has a quote (server/billing/quotes). */
  isQuoted: boolean;
  /** End of the quote, until which the order keeps its price; null when it was not quoted at this price. */
  priceHeldUntil: Date | null;
  termsAcceptedAt: Date | null;
  createdAt: Date;
  paidAt: Date | null;
  /** Time of removal from the cart, or null. */
  removedAt: Date | null;
}

/** An order's amounts and the time of pricing. */
export type OrderAmounts = Pick<
  Order,
  "taxRateBasisPoints" | "subtotal" | "tax" | "rounding" | "total" | "pricedAt"
>;

/** The fields of an order that may change; undefined ones stay as they are. */
export type OrderChanges = Partial<
  Pick<
    Order,
    | "stage"
    | "paymentStatus"
    | "fulfilmentStatus"
    | "userId"
    | "customerId"
    | "tenantId"
    | "subscriptionId"
    | "parentSubscriptionId"
    | "draftKey"
    | "language"
    | "details"
    | "account"
    | "signIn"
    | "references"
    | "isQuoted"
    | "priceHeldUntil"
    | "termsAcceptedAt"
    | "paidAt"
    | "removedAt"
  >
> & {
  /** The amounts, which change only together. */
  figures?: OrderAmounts;
  fulfilledAt?: Date;
};

/** The fields of a new order. */
export type NewOrder = OrderChanges &
  Pick<Order, "id" | "kind" | "family" | "itemId" | "country" | "details"> & {
    figures: OrderAmounts;
    createdAt?: Date;
    updatedAt?: Date;
  };

/** Maps a row to an order. @throws ZodError when stored JSON does not match its schema: our fault, never the buyer's */
export function toOrder(row: OrderRow, line: OrderLineRow): Order {
  const amount = (minor: number) => money(minor, row.currency);
  return {
    id: row.id,
    number: row.number,
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
    language: row.language,
    details: detailsSchema.parse(row.details),
    account: row.account === null ? null : accountSchema.parse(row.account),
    signIn: row.signin === null ? null : signInSchema.parse(row.signin),
    references: { purchaseOrder: row.po_number, costCentre: row.cost_centre, note: row.buyer_note },
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
    isQuoted: row.quoted,
    priceHeldUntil: row.price_held_until,
    termsAcceptedAt: row.terms_accepted_at,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    removedAt: row.removed_at,
  };
}
