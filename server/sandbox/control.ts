/**
 * The lever room, `/control`, which no provider has: faults and webhook modes, the clock, what happened so far, and the acts of people
 * (a buyer paying, an administrator approving) without a browser. Every body is JSON and every answer too.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { faultSchema } from "./faults.ts";
import { googleModeSchema } from "./google/mode.ts";
import { googleSeed, plantGoogle } from "./google/seed.ts";
import { approve } from "./partner-center/approval.ts";
import { addCustomer } from "./partner-center/customers.ts";
import { addSubscription } from "./partner-center/subscriptions.ts";
import { type PaymentAttempt, pay, signatureOf } from "./razorpay/ledger.ts";
import { webhookModeSchema } from "./razorpay/webhooks.ts";
import type { Sandbox } from "./sandbox.ts";
import { at, readJson } from "./wire.ts";

const payment = z.object({
  orderId: z.string(),
  amount: z.int().positive().optional(),
  currency: z.string().optional(),
  method: z.string().optional(),
  email: z.string().optional(),
  contact: z.string().optional(),
  status: z.enum(["captured", "authorized", "failed"]).default("captured"),
  webhook: z.boolean().default(true),
});

const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const seed = z.object({
  customers: z
    .array(z.object({ domain: z.string(), id: z.guid().optional(), companyName: z.string().optional() }))
    .default([]),
  subscriptions: z
    .array(
      z.object({
        customerId: z.guid(),
        id: z.guid(),
        productId: z.string(),
        skuId: z.string(),
        quantity: z.int().positive(),
        termDuration: z.enum(["P1M", "P1Y"]),
        billingCycle: z.enum(["monthly", "annual"]),
        effectiveStartDate: date,
        commitmentEndDate: date,
        status: z.enum(["active", "suspended", "expired", "deleted"]).default("active"),
        autoRenewEnabled: z.boolean().default(true),
        parentSubscriptionId: z.guid().optional(),
      }),
    )
    .default([]),
  google: googleSeed,
});
type Seed = z.infer<typeof seed>;

export function controlHandlers(sandbox: Sandbox): HttpHandler[] {
  /** A POST whose body has the schema's shape; what `act` returns is the answer, undefined being 404. */
  function lever<T>(
    path: string,
    schema: z.ZodType<T>,
    act: (given: T) => object | undefined | Promise<object | undefined>,
  ) {
    return http.post(at(`/control/${path}`), async ({ request }) => {
      const given = schema.safeParse(await readJson(request).catch(() => undefined));
      if (!given.success) return HttpResponse.json({ error: z.prettifyError(given.error) }, { status: 400 });
      const answer = await act(given.data);
      await sandbox.save();
      if (answer === undefined) return HttpResponse.json({ error: "not found" }, { status: 404 });
      return HttpResponse.json(answer);
    });
  }

  return [
    http.get(at("/control/state"), () => HttpResponse.json(snapshot(sandbox))),
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
    lever("clock", z.object({ offsetMs: z.int() }), ({ offsetMs }) => {
      sandbox.clockOffset = offsetMs;
      return { now: new Date(sandbox.now()).toISOString() };
    }),
    lever("google", googleModeSchema, (mode) => {
      sandbox.google = { ...sandbox.google, ...mode };
      return sandbox.google;
    }),
    lever("dns", z.object({ name: z.string(), values: z.array(z.string().max(255)) }), (record) => {
      sandbox.dns.set(record.name.toLowerCase(), record.values);
      return record;
    }),
    lever("approve", z.object({ domain: z.string() }), ({ domain }) => {
      const approved = approve(sandbox, domain);
      return approved === undefined ? undefined : { domain: approved };
    }),
    lever("pay", payment, ({ orderId, ...attempt }) => payOrder(sandbox, orderId, attempt)),
    lever("seed", seed, (given) => plant(sandbox, given)),
  ];
}

/** A payment without a browser, right or deliberately wrong. Undefined when there is no such Razorpay order. */
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

/** Puts customers and subscriptions there which were never bought here, such as the demo data's. Repeating it changes nothing. */
function plant(sandbox: Sandbox, { customers, subscriptions, google }: Seed): object {
  const made = customers.map((customer) => addCustomer(sandbox, { ...customer, source: "seeded" }).id);
  for (const {
    productId,
    skuId,
    effectiveStartDate,
    commitmentEndDate,
    parentSubscriptionId,
    ...given
  } of subscriptions) {
    if (sandbox.state.partner.subscriptions[given.id.toLowerCase()] !== undefined) continue;
    addSubscription(sandbox, {
      ...given,
      customerId: given.customerId.toLowerCase(),
      orderId: "seeded",
      offerId: `${productId}:${skuId}:SEEDED`,
      parentSubscriptionId: parentSubscriptionId ?? null,
      startsAt: effectiveStartDate,
      endsAt: commitmentEndDate,
    });
  }
  return {
    customers: made,
    subscriptions: subscriptions.map(({ id }) => id.toLowerCase()),
    google: plantGoogle(sandbox, google),
  };
}

/** All there is to assert on, entities as lists in the order they were made. */
export function snapshot(sandbox: Sandbox) {
  const { counts, razorpay, partner, google, mail } = sandbox.state;
  return {
    counts,
    razorpay: {
      orders: Object.values(razorpay.orders),
      payments: Object.values(razorpay.payments),
      refunds: Object.values(razorpay.refunds),
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
    mail: mail.length,
    webhooks: { ...sandbox.webhooks.mode, deliveries: sandbox.webhooks.deliveries },
    faults: sandbox.faults.list(),
    clockOffsetMs: sandbox.clockOffset,
    journal: sandbox.journal,
  };
}
