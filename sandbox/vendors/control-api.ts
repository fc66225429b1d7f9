/**
 * The control API, `/control`, which no provider has: faults and webhook modes, the clock, the history, and actions of people (a
 * buyer paying, an administrator approving) without a browser. Every body is JSON and every response too.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { advanceVendorTerms } from "./advance-terms.ts";
import { backdateCharges } from "./bills.ts";
import { catalogueChange } from "./catalogue-changes.ts";
import { webhookModeSchema } from "./deliveries.ts";
import { faultSchema } from "./faults.ts";
import { acceptTerms } from "./google/customers.ts";
import { googleModeSchema } from "./google/mode.ts";
import { googleSeed, seedGoogle } from "./google/seed.ts";
import { anyOrigin, readJson } from "./http-helpers.ts";
import { approve } from "./partner-center/approval.ts";
import { addCustomer } from "./partner-center/customers.ts";
import { partnerModeSchema } from "./partner-center/mode.ts";
import { addSubscription } from "./partner-center/subscriptions.ts";
import { type PaymentAttempt, pay, seedPayment, signatureOf } from "./razorpay/ledger.ts";
import { payLink, returnAddress } from "./razorpay/payment-links.ts";
import { refundModeSchema } from "./razorpay/refund-mode.ts";
import { actOnDispute, actOnRefund, disputeAct, refundAct } from "./razorpay/refunds-and-disputes.ts";
import { credit } from "./razorpay/virtual-accounts.ts";
import type { Sandbox } from "./sandbox.ts";
import { changeInConsole, consoleChange } from "./vendor-console.ts";

const payment = z.object({
  orderId: z.string(),
  amount: z.int().positive().optional(),
  fee: z.int().positive().optional(),
  tax: z.int().nonnegative().optional(),
  currency: z.string().optional(),
  method: z.string().optional(),
  email: z.string().optional(),
  contact: z.string().optional(),
  status: z.enum(["captured", "authorized", "failed"]).default("captured"),
  reason: z.string().optional(),
  webhook: z.boolean().default(true),
});

const credited = z.object({
  accountId: z.string(),
  amount: z.int().positive(),
  utr: z.string().optional(),
  webhook: z.boolean().default(true),
});

const linkPaid = z.object({
  linkId: z.string(),
  method: z.string().optional(),
  webhook: z.boolean().default(true),
});

const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const seed = z.object({
  customers: z
    .array(
      z.object({
        domain: z.string(),
        id: z.guid().optional(),
        companyName: z.string().optional(),
        country: z.string().default("IN"),
        gdap: z.boolean().default(false),
      }),
    )
    .default([]),
  subscriptions: z
    .array(
      z.object({
        customerId: z.guid(),
        id: z.guid(),
        productId: z.string(),
        skuId: z.string(),
        quantity: z.int().positive(),
        assigned: z.int().nonnegative().default(0),
        termDuration: z.enum(["P1M", "P1Y"]),
        billingCycle: z.enum(["monthly", "annual"]),
        effectiveStartDate: date,
        commitmentEndDate: date,
        status: z.enum(["active", "suspended", "expired", "deleted"]).default("active"),
        autoRenewEnabled: z.boolean().default(true),
        endsWithTerm: z.boolean().default(false),
        parentSubscriptionId: z.guid().optional(),
      }),
    )
    .default([]),
  google: googleSeed,
  /** Payments that were captured earlier. */
  payments: z
    .array(
      z.object({
        id: z.string(),
        orderId: z.string(),
        account: z.string(),
        amount: z.int().positive(),
        currency: z.string(),
        paidAt: date,
      }),
    )
    .default([]),
});
type Seed = z.infer<typeof seed>;

export function controlHandlers(sandbox: Sandbox): HttpHandler[] {
  /** A POST whose body matches the schema; the result of `act` is the response, undefined being 404. */
  function lever<T>(
    path: string,
    schema: z.ZodType<T>,
    act: (given: T) => object | undefined | Promise<object | undefined>,
  ) {
    return http.post(anyOrigin(`/control/${path}`), async ({ request }) => {
      const given = schema.safeParse(await readJson(request).catch(() => undefined));
      if (!given.success) return HttpResponse.json({ error: z.prettifyError(given.error) }, { status: 400 });
      const answer = await act(given.data);
      await sandbox.save();
      if (answer === undefined) return HttpResponse.json({ error: "not found" }, { status: 404 });
      return HttpResponse.json(answer);
    });
  }

  return [
    http.get(anyOrigin("/control/state"), () => HttpResponse.json(snapshot(sandbox))),
    lever("reset", z.unknown(), async () => {
      await sandbox.reset();
      return { ok: true };
    }),
    lever("faults", z.array(faultSchema), (faults) => {
      sandbox.faults.replace(faults);
      return { faults: sandbox.faults.list() };
    }),
    lever("webhooks", webhookModeSchema, (mode) => {
      sandbox.webhooks.mode = mode;
      return mode;
    }),
    lever("notices", webhookModeSchema, (mode) => {
      sandbox.notices.mode = mode;
      return mode;
    }),
    lever("clock", z.object({ offsetMs: z.int() }), ({ offsetMs }) => {
      sandbox.clockOffset = offsetMs;
      // Terms that end before the new time have ended for the next caller.
      advanceVendorTerms(sandbox);
      return { now: new Date(sandbox.now()).toISOString() };
    }),
    lever("delays", z.object({ scale: z.number().min(0).max(1) }), ({ scale }) => {
      sandbox.delayScale = scale;
      return { scale };
    }),
    lever("google", googleModeSchema, (mode) => {
      sandbox.google = { ...sandbox.google, ...mode };
      return sandbox.google;
    }),
    lever("withdrawn", z.array(z.string()), (offers) => {
      sandbox.withdrawn = offers;
      return offers;
    }),
    lever("catalogue", z.array(catalogueChange), (changes) => {
      sandbox.catalogue = changes;
      return changes;
    }),
    lever("inactive-gstins", z.array(z.string()), (gstins) => {
      sandbox.inactiveGstins = new Set(gstins);
      return gstins;
    }),
    lever("dns", z.object({ name: z.string(), values: z.array(z.string().max(255)) }), (record) => {
      sandbox.dns.set(record.name.toLowerCase(), record.values);
      return record;
    }),
    lever("partner", partnerModeSchema, ({ revoke, ...mode }) => {
      sandbox.partnerMode = { ...sandbox.partnerMode, ...mode };
      for (const token of Object.values(sandbox.state.partner.refreshTokens))
        if (token.country === revoke) token.revoked = true;
      return sandbox.partnerMode;
    }),
    lever(
      "settlements",
      z.object({
        held: z.array(z.string()).default([]),
        fees: z.record(z.string(), z.int()).default({}),
      }),
      (mode) => {
        sandbox.settlements = mode;
        return mode;
      },
    ),
    lever("approve", z.object({ domain: z.string(), country: z.string().optional() }), (given) => {
      const approved = approve(sandbox, given.domain, given.country);
      return approved === undefined ? undefined : { domain: approved };
    }),
    lever("accept-terms", z.object({ domain: z.string() }), async (given) => {
      const domain = await acceptTerms(sandbox, given.domain);
      return domain === undefined ? undefined : { domain };
    }),
    lever("pay", payment, ({ orderId, ...attempt }) => payOrder(sandbox, orderId, attempt)),
    lever("credit", credited, ({ accountId, ...given }) => {
      const account = sandbox.state.razorpay.virtualAccounts[accountId];
      return account === undefined ? undefined : { paymentId: credit(sandbox, account, given).id };
    }),
    lever("pay-link", linkPaid, ({ linkId, ...given }) => {
      const link = sandbox.state.razorpay.paymentLinks[linkId];
      if (link === undefined) return undefined;
      const made = payLink(sandbox, link, given);
      return {
        paymentId: made.id,
        orderId: link.order_id,
        returnAddress: returnAddress(sandbox, link, made),
      };
    }),
    lever("refunds", refundModeSchema, (mode) => {
      sandbox.refundMode = mode;
      return mode;
    }),
    lever("refund", refundAct, (act) => actOnRefund(sandbox, act)),
    lever("dispute", disputeAct, (act) => actOnDispute(sandbox, act)),
    lever("console", consoleChange, (change) => changeInConsole(sandbox, change)),
    lever("billed-earlier", z.object({ id: z.string(), byMs: z.int().positive() }), ({ id, byMs }) => {
      backdateCharges(sandbox, id, byMs);
      return { id, byMs };
    }),
    lever("seed", seed, (given) => plant(sandbox, given)),
  ];
}

/** Makes a payment without a browser, valid or deliberately invalid. Undefined when there is no such Razorpay order. */
export function payOrder(
  sandbox: Sandbox,
  orderId: string,
  attempt: PaymentAttempt,
): { paymentId: string; signature: string } | undefined {
  const order = sandbox.state.razorpay.orders[orderId];
  if (order === undefined) return undefined;
  const made = pay(sandbox, order, attempt);
  return { paymentId: made.id, signature: signatureOf(sandbox, made) };
}

/** Adds customers and subscriptions that were never bought here, such as the demo data's. Idempotent. */
function plant(sandbox: Sandbox, { customers, subscriptions, google, payments }: Seed): object {
  for (const payment of payments) seedPayment(sandbox, payment);
  const made = customers.map((customer) => addCustomer(sandbox, { ...customer, source: "seeded" }).id);
  for (const {
    productId,
    skuId,
    effectiveStartDate,
    commitmentEndDate,
    parentSubscriptionId,
    endsWithTerm,
    ...given
  } of subscriptions) {
    if (sandbox.state.partner.subscriptions[given.id.toLowerCase()] !== undefined) continue;
    addSubscription(sandbox, {
      ...given,
      customerId: given.customerId.toLowerCase(),
      orderId: "seeded",
      offerId: `${productId}:${skuId}:SEEDED`,
      parentSubscriptionId: parentSubscriptionId ?? null,
      scheduledActions: endsWithTerm ? [{ scheduleType: "TermEnd", actionType: "Cancel" }] : null,
      startsAt: effectiveStartDate,
      endsAt: commitmentEndDate,
    });
  }
  return {
    customers: made,
    subscriptions: subscriptions.map(({ id }) => id.toLowerCase()),
    google: seedGoogle(sandbox, google),
  };
}

/** Everything that tests assert on; entities are lists in creation order. */
export function snapshot(sandbox: Sandbox) {
  advanceVendorTerms(sandbox);
  const { counts, razorpay, partner, google, gsp, mail, bills } = sandbox.state;
  return {
    counts,
    razorpay: {
      orders: Object.values(razorpay.orders),
      payments: Object.values(razorpay.payments),
      refunds: Object.values(razorpay.refunds),
      virtualAccounts: Object.values(razorpay.virtualAccounts),
      paymentLinks: Object.values(razorpay.paymentLinks),
      disputes: Object.values(razorpay.disputes),
    },
    partnerCenter: {
      customers: Object.values(partner.customers),
      users: Object.values(partner.users),
      agreements: partner.agreements,
      carts: Object.values(partner.carts),
      orders: Object.values(partner.orders),
      subscriptions: Object.values(partner.subscriptions),
    },
    google: {
      customers: Object.values(google.customers),
      users: Object.values(google.users),
      entitlements: Object.values(google.entitlements),
      operations: Object.values(google.operations),
      identities: Object.values(google.identities),
      mode: sandbox.google,
    },
    eInvoices: Object.values(gsp),
    bills,
    mail: mail.length,
    webhooks: { ...sandbox.webhooks.mode, deliveries: sandbox.webhooks.deliveries },
    notices: { ...sandbox.notices.mode, deliveries: sandbox.notices.deliveries },
    faults: sandbox.faults.list(),
    clockOffsetMs: sandbox.clockOffset,
    delayScale: sandbox.delayScale,
    unseen: sandbox.unseen,
    journal: sandbox.journal,
  };
}
