/** State of the sandbox's Google: customers, their Cloud Identities, users, entitlements and long-running operations. */
import { z } from "zod";
import { jsonObject } from "../http-helpers.ts";
import { heldElsewhere } from "./mode.ts";

const identity = z.object({
  id: z.string(),
  /** The operation that creates it; it does not exist before that is done. Null when it existed already. */
  operation: z.string().nullable(),
  info: jsonObject,
});

const customer = z.object({
  /** `accounts/{account}/customers/{customer}` */
  name: z.string(),
  domain: z.string(),
  /** `created` through the API, `imported` with a transfer token, `seeded` through /control. */
  source: z.enum(["created", "imported", "seeded"]),
  /** Fields that are only stored and returned: address, contacts, language. */
  profile: jsonObject,
  identity: identity.nullable(),
  /** Time at which its administrator accepts the terms of service; until then everything it has is suspended. Null for never. */
  acceptsTermsAt: z.number().nullable().default(0),
  createdAt: z.number(),
});
export type GoogleCustomer = z.infer<typeof customer>;

const user = z.object({
  id: z.string(),
  customerName: z.string(),
  primaryEmail: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  /** Readable, for tests to assert on. Empty until one is set: provisioning takes none. */
  password: z.string(),
  changePasswordAtNextLogin: z.boolean(),
  isAdmin: z.boolean(),
  suspended: z.boolean(),
  createdAt: z.number(),
});
export type GoogleUser = z.infer<typeof user>;

export const paymentCycle = z.object({
  duration: z.int().positive(),
  periodType: z.enum(["DAY", "MONTH", "YEAR"]),
});

export const renewalSettings = z.object({
  enableRenewal: z.boolean().default(false),
  resizeUnitCount: z.boolean().default(false),
  paymentPlan: z.string().optional(),
  paymentCycle: paymentCycle.optional(),
});

const entitlement = z.object({
  /** `{customer}/entitlements/{entitlement}` */
  name: z.string(),
  customerName: z.string(),
  offer: z.string(),
  /** `products/{product}/skus/{sku}` */
  sku: z.string(),
  numUnits: z.number(),
  /** Units assigned to people. */
  assigned: z.number().default(0),
  purchaseOrderId: z.string(),
  baseEntitlement: z.string().nullable(),
  source: z.enum(["created", "transferred", "seeded"]),
  renewal: renewalSettings,
  trialEndsAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  startsAt: z.number(),
  endsAt: z.number(),
  /** Reason for a suspension by a person; null while there is none. */
  suspendedFor: z.string().nullable().default(null),
  /** The operation that creates it; it is not visible before that is done. */
  operation: z.string().nullable(),
});
export type GoogleEntitlement = z.infer<typeof entitlement>;

const operation = z.object({
  id: z.string(),
  type: z.string(),
  customerName: z.string().default(""),
  /** Response once done; null for a failed operation. */
  response: jsonObject.nullable(),
  error: z.object({ code: z.number(), message: z.string() }).nullable(),
  requestId: z.string().nullable(),
  createdAt: z.number(),
  polls: z.number(),
  /** Done after this number of polls, or at that time, whichever comes first. */
  doneAfterPolls: z.number(),
  doneAt: z.number(),
});
export type GoogleOperation = z.infer<typeof operation>;

/** A Google account of a domain that is not a customer here: another reseller's, with its transferable SKUs. */
const foreignIdentity = z.object({ id: z.string(), domain: z.string(), skus: z.array(heldElsewhere) });
export type ForeignIdentity = z.infer<typeof foreignIdentity>;

export const googleState = z.object({
  customers: z.record(z.string(), customer),
  users: z.record(z.string(), user),
  entitlements: z.record(z.string(), entitlement),
  operations: z.record(z.string(), operation),
  /** Operation ids by path and requestId. */
  requests: z.record(z.string(), z.string()),
  identities: z.record(z.string(), foreignIdentity),
  /** Service accounts that may subscribe to the events of an account, by its name. */
  subscribers: z.record(z.string(), z.array(z.string())).default({}),
});
export type GoogleState = z.infer<typeof googleState>;

export function emptyGoogle(): GoogleState {
  return {
    customers: {},
    users: {},
    entitlements: {},
    operations: {},
    requests: {},
    identities: {},
    subscribers: {},
  };
}
