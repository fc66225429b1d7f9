/** The sandbox's state, as the schemas of its file. */
import { z } from "zod";
import { charge } from "./charge.ts";
import { emptyGoogle, googleState } from "./google/entities.ts";
import { emptyGoogleSignIn, googleSignInState } from "./google-sign-in/entities.ts";
import { jsonObject } from "./http-helpers.ts";
import { emptyOutlook, outlookState } from "./outlook/entities.ts";
import { gspState } from "./registered-invoice.ts";

const razorpayOrder = z.object({
  id: z.string(),
  /** The country whose account it is at. */
  account: z.string().default("IN"),
  amount: z.number(),
  amount_paid: z.number(),
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.enum(["created", "attempted", "paid"]),
  attempts: z.number(),
  notes: z.record(z.string(), z.string()),
  created_at: z.number(),
  capture: z.enum(["automatic", "manual"]),
});

export type RazorpayOrder = z.infer<typeof razorpayOrder>;

const razorpayPayment = z.object({
  id: z.string(),
  /** Null for money that reached a virtual account. */
  order_id: z.string().nullable(),
  /** Transfer to a virtual account. */
  transfer: z
    .object({ accountId: z.string(), utr: z.string(), mode: z.enum(["NEFT", "RTGS", "IMPS"]) })
    .optional(),
  amount: z.number(),
  currency: z.string(),
  status: z.enum(["created", "authorized", "captured", "refunded", "failed"]),
  method: z.string(),
  email: z.string().nullable(),
  contact: z.string().nullable(),
  description: z.string().nullable(),
  amount_refunded: z.number(),
  /** The fee with the tax on it, if the customer paid it in addition to the order. */
  customer_fee: z.object({ fee: z.number(), tax: z.number() }).optional(),
  /** Reason for a decline; the usual one when left out. */
  declined_for: z.string().optional(),
  created_at: z.number(),
});

export type RazorpayPayment = z.infer<typeof razorpayPayment>;

const virtualAccount = z.object({
  id: z.string(),
  /** The country whose account it is at. */
  account: z.string(),
  description: z.string(),
  notes: z.record(z.string(), z.string()),
  /** Number of the bank account. */
  number: z.string(),
  /** Unix seconds; null for an account that stays open. */
  close_by: z.number().nullable(),
  amount_paid: z.number(),
  created_at: z.number(),
});

export type RazorpayVirtualAccount = z.infer<typeof virtualAccount>;

const paymentLink = z.object({
  id: z.string(),
  /** The country whose account it is at. */
  account: z.string(),
  /** Razorpay's order for its payments. */
  order_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  reference_id: z.string(),
  description: z.string(),
  customer: z.object({
    name: z.string().optional(),
    email: z.string().optional(),
    contact: z.string().optional(),
  }),
  notes: z.record(z.string(), z.string()),
  callback_url: z.string(),
  expire_by: z.number(),
  cancelled_at: z.number(),
  created_at: z.number(),
});

export type RazorpayPaymentLink = z.infer<typeof paymentLink>;

const razorpayRefund = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.number(),
  currency: z.string(),
  notes: z.record(z.string(), z.string()),
  receipt: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  status: z.enum(["pending", "processed", "failed"]).default("processed"),
  created_at: z.number(),
  processed_at: z.number().optional(),
});

export type RazorpayRefund = z.infer<typeof razorpayRefund>;

const razorpayDispute = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.number(),
  amount_deducted: z.number(),
  currency: z.string(),
  reason_code: z.string(),
  respond_by: z.number(),
  status: z.enum(["open", "under_review", "won", "lost", "closed"]),
  phase: z.enum(["fraud", "retrieval", "chargeback", "pre_arbitration", "arbitration"]),
  created_at: z.number(),
  lost_at: z.number().optional(),
});

export type RazorpayDispute = z.infer<typeof razorpayDispute>;

const customer = z.object({
  id: z.string(),
  commerceId: z.string(),
  domain: z.string(),
  /** `created` through the API, `approved` on the partner page, `seeded` through /control. */
  source: z.enum(["created", "approved", "seeded"]),
  /** Country of the customer, which determines its partner. */
  country: z.string().default("IN"),
  organizationRegistrationNumber: z.string(),
  billingProfile: jsonObject,
  /** Whether we have a role in the tenant, which creating users there requires. */
  gdap: z.boolean().default(false),
  createdAt: z.number(),
});

export type Customer = z.infer<typeof customer>;

const user = z.object({
  id: z.string(),
  customerId: z.string(),
  userPrincipalName: z.string(),
  displayName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  usageLocation: z.string(),
  password: z.string(),
  forceChangePassword: z.boolean(),
  roles: z.array(z.string()),
});

export type PartnerUser = z.infer<typeof user>;

const agreement = z.object({
  customerId: z.string(),
  templateId: z.string(),
  type: z.string(),
  dateAgreed: z.string(),
  primaryContact: jsonObject,
});

export type Agreement = z.infer<typeof agreement>;

const cartLine = z.object({
  id: z.number(),
  catalogItemId: z.string(),
  quantity: z.number(),
  billingCycle: z.string(),
  termDuration: z.string(),
  parentSubscriptionId: z.string().nullable(),
  /** The line this one is an add-on of, when both are bought together. */
  parentLine: z.number().nullable(),
  provisioningContext: jsonObject,
  error: z.object({ errorCode: z.string(), errorDescription: z.string() }).nullable(),
});

export type CartLine = z.infer<typeof cartLine>;

const cart = z.object({
  id: z.string(),
  customerId: z.string(),
  createdAt: z.number(),
  currency: z.string(),
  lines: z.array(cartLine),
  /** Number of checkouts; only the first one buys. */
  checkouts: z.number(),
  /** The resulting order; null while the cart is open. */
  orderId: z.string().nullable().default(null),
});

export type Cart = z.infer<typeof cart>;

const orderLine = z.object({
  lineItemNumber: z.number(),
  offerId: z.string(),
  subscriptionId: z.string(),
  parentSubscriptionId: z.string().nullable(),
  quantity: z.number(),
  termDuration: z.string(),
});

const partnerOrder = z.object({
  id: z.string(),
  customerId: z.string(),
  cartId: z.string(),
  billingCycle: z.string(),
  currency: z.string(),
  createdAt: z.number(),
  lines: z.array(orderLine),
});

export type PartnerOrder = z.infer<typeof partnerOrder>;

/** Seats bought together, and the deadline for returning them. */
const seatBatch = z.object({ quantity: z.number(), until: z.number() });

const subscriptionChange = z.object({
  /** Left out by any other change. */
  status: z.literal("deleted").optional(),
  quantity: z.number(),
  autoRenewEnabled: z.boolean(),
  scheduledNextTermInstructions: jsonObject.nullable(),
  scheduledActions: z.array(jsonObject).nullable(),
  batches: z.array(seatBatch),
  revision: z.number(),
});

const subscription = z.object({
  id: z.string(),
  customerId: z.string(),
  orderId: z.string(),
  offerId: z.string(),
  parentSubscriptionId: z.string().nullable(),
  quantity: z.number(),
  /** Seats assigned to people. */
  assigned: z.number().default(0),
  status: z.enum(["active", "suspended", "expired", "deleted"]),
  autoRenewEnabled: z.boolean(),
  billingCycle: z.string(),
  termDuration: z.string(),
  scheduledNextTermInstructions: jsonObject.nullable(),
  scheduledActions: z.array(jsonObject).nullable().default(null),
  createdAt: z.number(),
  startsAt: z.number(),
  endsAt: z.number(),
  /** Cancellation deadline: 7 days after the purchase or the last renewal. */
  cancellableUntil: z.number().default(0),
  /** Oldest first. Each purchase has its own 7 days. */
  batches: z.array(seatBatch).default([]),
  revision: z.number(),
  /** An accepted change, and when it becomes visible; null while there is none. */
  pending: z.object({ showsAt: z.number(), change: subscriptionChange }).nullable().default(null),
});

export type Subscription = z.infer<typeof subscription>;

const mailMessage = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Address for a mailbox provider's unsubscribe request; empty for a mail without. */
  unsubscribe: z.string().default(""),
  attachments: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        bytes: z.number(),
        /** Hexadecimal hash, which identifies an attachment. */
        sha256: z.string().default(""),
      }),
    )
    .default([]),
  receivedAt: z.string(),
});

export type MailMessage = z.infer<typeof mailMessage>;

const partnerCode = z.object({
  country: z.string(),
  personId: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  nonce: z.string(),
  issuedAt: z.number(),
});

export type PartnerCode = z.infer<typeof partnerCode>;

const refreshToken = z.object({
  country: z.string(),
  personId: z.string(),
  issuedAt: z.number(),
  revoked: z.boolean(),
});

export const sandboxState = z.object({
  version: z.literal(1),
  /** Effects by kind, such as `customer.create`; `customer.create.replayed` counts answers repeated for a known request id. */
  counts: z.record(z.string(), z.number()),
  razorpay: z.object({
    orders: z.record(z.string(), razorpayOrder),
    payments: z.record(z.string(), razorpayPayment),
    refunds: z.record(z.string(), razorpayRefund),
    /** Missing in files written before there were any. */
    virtualAccounts: z.record(z.string(), virtualAccount).default({}),
    paymentLinks: z.record(z.string(), paymentLink).default({}),
    disputes: z.record(z.string(), razorpayDispute).default({}),
  }),
  partner: z.object({
    customers: z.record(z.string(), customer),
    users: z.record(z.string(), user),
    agreements: z.array(agreement),
    carts: z.record(z.string(), cart),
    orders: z.record(z.string(), partnerOrder),
    subscriptions: z.record(z.string(), subscription),
    /** catalogItemId to the time it was last handed out. */
    catalogItems: z.record(z.string(), z.number()),
    /** First answers by method, path and MS-RequestId. */
    answers: z.record(
      z.string(),
      z.object({ status: z.number(), body: z.unknown().optional(), location: z.string().optional() }),
    ),
    /** Consents whose tokens have not been fetched yet. */
    codes: z.record(z.string(), partnerCode).default({}),
    refreshTokens: z.record(z.string(), refreshToken).default({}),
    /** Registrations by the partner's country. */
    registrations: z
      .record(z.string(), z.object({ WebhookUrl: z.string(), WebhookEvents: z.array(z.string()) }))
      .default({}),
  }),
  /** Missing in files from before Google was simulated. */
  google: googleState.default(emptyGoogle),
  /** Missing in files from before sign-in was simulated. */
  outlook: outlookState.default(emptyOutlook),
  googleSignIn: googleSignInState.default(emptyGoogleSignIn),
  /** Missing in files from before invoice registration was simulated. */
  gsp: gspState.default({}),
  /** Oldest first, like the vendors' bills, which are missing in files from before they were kept. */
  mail: z.array(mailMessage),
  bills: z.array(charge).default([]),
});

export type SandboxState = z.infer<typeof sandboxState>;
