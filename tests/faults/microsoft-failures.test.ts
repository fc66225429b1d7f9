/**
 * Microsoft slow, overloaded, broken, cut off, inconsistent or out of stock: retried with growing waits and done once, or
 * referred to a person, with a reassuring page for the buyer.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { microsoftIdsOf } from "#server/catalogue/families/microsoft/catalogue.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { type FaultWorld, startFaultWorld, statusOf as statusIn } from "#tests/support/fault-world.ts";
import { numberOf } from "#tests/support/orders.ts";
import { exactlyOnce, outcomeOf, type Sides } from "#tests/support/outcome.ts";
import { answerSignInNewTenant, freshPrefix } from "#tests/support/paid-order.ts";
import {
  type PreparedOrder,
  prepareExistingTenant,
  prepareNewTenant,
} from "#tests/support/prepared-order.ts";
import type { Call } from "#tests/support/provider-state.ts";
import { until } from "#tests/support/until.ts";
import { type MicrosoftCall, microsoftCalls } from "./microsoft-calls.ts";

const { faultAt, nameOf } = microsoftCalls;
const retryBaseMs = 500;
const timeoutMs = 2_500;
/** Two clocks on one machine, both in whole milliseconds. */
const clockMs = 5;
/** A timeout begins when a call is sent; the sandbox records the call on arrival, which may be later on a busy machine. */
const arrivalMs = 200;

let world: FaultWorld;
let context: Context;
let sides: Sides;
beforeAll(async () => {
  world = await startFaultWorld({
    env: {
      RETRY_BASE_MS: String(retryBaseMs),
      PROVIDER_TIMEOUT_MS: String(timeoutMs),
      // As many as concurrent orders, so that none waits for another's timeout.
      WORKER_CONCURRENCY: "20",
      DATABASE_POOL_SIZE: "6",
    },
  });
  ({ context, sides } = world);
});
afterAll(() => world?.stop());
// A fault that was not used means that the test checked nothing.
afterEach(async () => {
  expect((await sides.provider.state()).faults, "faults that did not strike").toEqual([]);
});

interface Prepared extends PreparedOrder {
  prefix: string;
  tenantId: string;
}

async function prepare(requestedWaitMs?: Parameters<typeof prepareNewTenant>[1]): Promise<Prepared> {
  const prepared = await prepareNewTenant(world, requestedWaitMs);
  return { ...prepared, tenantId: tenantIdOf(prepared.placed.domain) };
}

const finished = (orders: readonly Prepared[]) => world.finished(orders);
const statusOf = ({ placed }: Prepared) => statusIn(world, placed);

const wantedDomain = z.object({ companyProfile: z.object({ domain: z.string() }) });

/** Lists the calls with this name for this order's tenant, oldest first. */
function callsOf(name: MicrosoftCall, { tenantId, placed }: Prepared): Promise<Call[]> {
  return sides.provider.calls((call) => {
    if (nameOf(call) !== name) return false;
    if (name !== "make customer") return call.path.includes(tenantId);
    return wantedDomain.safeParse(call.body).data?.companyProfile.domain === placed.domain;
  });
}

describe("a call that fails twice", () => {
  const kinds = ["429", "500", "timeout", "reset", "reset-after"] as const;
  const places = ["make customer", "make cart", "check out"] as const;
  const cases = places.flatMap((place) => kinds.map((kind) => ({ place, kind })));
  const retryAfterSeconds = 2;
  const prepared = new Map<string, Prepared>();
  const keyOf = ({ place, kind }: (typeof cases)[number]) => `${place} ${kind}`;
  const preparedFor = (one: (typeof cases)[number]): Prepared => {
    const found = prepared.get(keyOf(one));
    if (found === undefined) throw new Error(`${keyOf(one)} was not prepared`);
    return found;
  };

  beforeAll(async () => {
    for (const one of cases) prepared.set(keyOf(one), await prepare());
    const atOnce = cases.filter(({ place }) => place !== "make customer");
    const inTurn = cases.filter(({ place }) => place === "make customer");
    const pass = (times: number) => faultAt("make customer", "slow", { delayMs: 0, times });
    await sides.provider.faults(
      ...atOnce.map((one) =>
        faultAt(one.place, one.kind, { times: 2, retryAfterSeconds, tenantId: preparedFor(one).tenantId }),
      ),
      // The path for making a customer is always the same: first pass those that fail later, then each in turn.
      pass(atOnce.length),
      ...inTurn.flatMap(({ kind }) => [
        faultAt("make customer", kind, { times: 2, retryAfterSeconds }),
        pass(1),
      ]),
    );
    await Promise.all(atOnce.map((one) => preparedFor(one).signIn()));
    await until(
      "the first orders have their customers",
      async () =>
        (await sides.provider.calls((call) => nameOf(call) === "make customer")).length >= atOnce.length,
    );
    for (const one of inTurn) {
      await preparedFor(one).signIn();
      await until(
        `${keyOf(one)} is tried a third time`,
        async () => (await callsOf("make customer", preparedFor(one))).length >= 3,
      );
    }
    await finished([...prepared.values()]);
  });

  test.each(cases)("$place, $kind: retries with growing waits, with a single effect", async (one) => {
    const order = preparedFor(one);
    const [first, second, third, ...more] = await callsOf(one.place, order);
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("Expected three tries");
    expect(more).toEqual([]);

    // The wait begins when the failure is known, which is later for a timeout.
    const known = one.kind === "timeout" ? timeoutMs - arrivalMs : 0;
    const requestedWaitMs = one.kind === "429" ? retryAfterSeconds * 1_000 : 0;
    expect(second.at - first.at).toBeGreaterThanOrEqual(
      known + Math.max(requestedWaitMs, retryBaseMs) - clockMs,
    );
    expect(third.at - second.at).toBeGreaterThanOrEqual(
      known + Math.max(requestedWaitMs, 2 * retryBaseMs) - clockMs,
    );

    // The same request id while the outcome of the call is unknown, a new one after a response (docs/providers.md, section 1.2).
    const answered = one.kind === "429" || one.kind === "500";
    const ids = [first, second, third].map(({ requestId }) => requestId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(answered ? 3 : 1);

    expect(await order.outcome()).toEqual(order.expected);
  });
});

describe("a call that took effect and returned an error", () => {
  const cases: { what: string; call: MicrosoftCall; username: string; carts?: number }[] = [
    { what: "the customer", call: "make customer", username: "owner" },
    {
      what: "the customer, whose administrator has the name asked for",
      call: "make customer",
      username: "admin",
    },
    { what: "the agreement", call: "accept agreement", username: "owner" },
    { what: "the user", call: "make user", username: "owner" },
    { what: "the administrator's role", call: "give admin role", username: "owner" },
    // A cart costs nothing: the first one is left to expire.
    { what: "the cart", call: "make cart", username: "owner", carts: 2 },
    { what: "the checkout", call: "check out", username: "owner" },
  ];

  test.each(cases)("$what: does not create it twice", async ({ call, username, carts = 1 }) => {
    const prepared = await prepare({ username });
    await sides.provider.faults(faultAt(call, "500-after", { times: 1 }));
    await prepared.signIn();
    await finished([prepared]);
    expect(await prepared.outcome()).toEqual({ ...prepared.expected, carts });
  });
});

describe("a fulfilment that cannot continue", () => {
  const providersWords = [
    "Internal server error",
    "PartnerFD",
    "failed for now",
    "refused",
    "asked for by a test",
    "800002",
    "/carts",
  ];

  /** Expects a reassuring page for the buyer, an operator alert, and no further call to the provider. */
  async function isGivenToAPerson(prepared: Prepared, place: MicrosoftCall, most: number) {
    const { order } = prepared;
    await until("the order needs attention", async () => (await statusOf(prepared)) === "needs_attention");
    const calls = (await callsOf(place, prepared)).length;
    expect(calls).toBeGreaterThanOrEqual(1);
    expect(calls).toBeLessThanOrEqual(most);

    const page = await order.browser.get(`${order.path}/sign-in`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("We&#x27;re working on your order");
    expect(page.text).toContain("Your payment is safe.");
    expect(page.text).toMatch(/<a class="button" href="mailto:support@hubs\.example">Contact support<\/a>/);
    for (const words of providersWords) expect(page.text).not.toContain(words);

    const number = await numberOf(context.db, order.id);
    const alerts = async () =>
      (await sides.controls.inbox("operator@example.com")).filter(({ subject }) => subject.includes(number));
    await until("the operator is alerted", async () => (await alerts()).length > 0);

    const jobs = await sql`select id from graphile_worker.jobs where key = ${`fulfil:${order.id}`}`.execute(
      context.db,
    );
    expect(jobs.rows).toEqual([]);
    // Longer than the next wait would be.
    await sleep(retryBaseMs * 2 ** (calls - 1) + 500);
    expect(await callsOf(place, prepared)).toHaveLength(calls);
    expect(await alerts()).toHaveLength(1);
    expect((await alerts())[0]?.text).toContain(
      `The order stopped after ${calls} ${calls === 1 ? "attempt" : "attempts"}`,
    );
    expect(await statusOf(prepared)).toBe("needs_attention");
    expect(await prepared.outcome()).toMatchObject({
      stage: "stage3",
      fulfilments: ["needs_attention"],
      payments: 1,
      subscriptions: [],
      confirmations: 0,
      orders: 0,
    });
  }

  test("stops calling when retries end, with a page for the buyer and an operator alert", async () => {
    const prepared = await prepare();
    await sides.provider.faults(faultAt("make cart", "500", { tenantId: prepared.tenantId }));
    await prepared.signIn();
    await world.exhaustRetries(prepared.placed);
    await isGivenToAPerson(prepared, "make cart", 4);
    await sides.provider.faults();
  });

  test("does not retry an order error inside a 201", async () => {
    const prepared = await prepare();
    await sides.provider.faults(
      faultAt("check out", "orderErrors", { tenantId: prepared.tenantId, times: 1 }),
    );
    await prepared.signIn();
    await isGivenToAPerson(prepared, "check out", 1);
  });
});

describe("a tenant that was just created", () => {
  test.each(["accept agreement", "make cart"] as const)(
    'retries "%s" while it does not exist there yet, without a person',
    async (call) => {
      const prepared = await prepare();
      await sides.provider.faults(
        faultAt(call, "refuse", { status: 404, code: "60003", tenantId: prepared.tenantId, times: 2 }),
      );
      await prepared.signIn();
      await finished([prepared]);
      expect(await prepared.outcome()).toEqual(prepared.expected);
    },
  );
});

describe("a user that Microsoft does not create", () => {
  test("does not stop the purchase: the buyer gets the tenant's own administrator", async () => {
    const prepared = await prepare();
    const { tenantId, order, placed } = prepared;
    await sides.provider.faults(
      faultAt("make user", "refuse", {
        status: 403,
        code: "900308",
        description: "No role",
        tenantId,
        times: 1,
      }),
    );
    await prepared.signIn();
    await finished([prepared]);
    expect(await prepared.outcome()).toEqual({ ...prepared.expected, users: [] });
    const page = await order.browser.get(`${order.path}/order-processed`);
    expect(page.text).toContain(`admin@${placed.domain}`);
    const number = await numberOf(context.db, order.id);
    const alerts = (await sides.controls.inbox("operator@example.com")).filter(({ subject }) =>
      subject.includes(number),
    );
    expect(alerts.map(({ text }) => text)).toEqual([
      expect.stringContaining(`Microsoft did not create ${placed.user}`),
    ]);
  });
});

describe("a checkout whose response is lost", () => {
  test.each(["reset-after", "timeout", "500-after"] as const)(
    "%s: finds the order of the submitted cart, without a second one",
    async (kind) => {
      const prepared = await prepare();
      const { tenantId } = prepared;
      await sides.provider.faults(faultAt("check out", kind, { tenantId, times: 1 }));
      await prepared.signIn();
      await finished([prepared]);
      const answers = (await callsOf("check out", prepared)).map(({ status }) => status);
      expect(answers.at(-1)).toBe(kind === "timeout" ? 201 : 400);
      expect(await prepared.outcome()).toEqual(prepared.expected);
    },
  );

  test("does not match an older order for the same plan and number of seats", async () => {
    const prepared = await prepareExistingTenant(world);
    const tenantId = tenantIdOf(prepared.placed.domain);
    await buyAtMicrosoft(tenantId, prepared.placed.id);
    await sides.provider.faults(faultAt("check out", "reset-after", { tenantId, times: 1 }));
    await prepared.signIn();
    await world.finished([prepared]);
    expect(await prepared.outcome()).toEqual({
      ...prepared.expected,
      // The older order's, and its own.
      carts: 2,
      orders: 2,
      providerSubscriptions: 2,
      sameSubscription: true,
    });
    const bought = (await sides.provider.state()).partnerCenter.subscriptions.filter(
      ({ customerId }) => customerId === tenantId,
    );
    const rows = await context.db
      .selectFrom("subscriptions")
      .select("external_id")
      .where("order_id", "=", prepared.placed.id)
      .execute();
    expect(rows.map(({ external_id }) => external_id)).toEqual([bought[1]?.id]);
  });

  /** Buys the same as the order, directly at Microsoft. */
  async function buyAtMicrosoft(tenantId: string, id: OrderId): Promise<void> {
    const order = await findOrder(context.db, id);
    if (order === null) throw new Error("Order not found");
    const partnerCenter = context.partnerCenterOf(order.country);
    const { quantity, billingCycle, term } = order.line;
    const contact = {
      firstName: "Asha",
      lastName: "Rao",
      email: "asha@example.com",
      phoneNumber: "9876543210",
    };
    await partnerCenter.ensureAgreement(
      tenantId,
      { contact, templateId: null, dateAgreed: new Date() },
      randomUUID(),
    );
    const { productId, skuId } = await microsoftIdsOf(context, order);
    const { catalogItemId } = await partnerCenter.findAvailability(productId, skuId, order.country, term);
    const line = { catalogItemId, quantity, billingCycle, termDuration: term };
    const { cartId } = await partnerCenter.createCart(tenantId, [line], randomUUID());
    await partnerCenter.checkoutCart(tenantId, cartId, randomUUID());
  }
});

describe("a purchased order that does not appear yet", () => {
  test("waits for its subscription without buying again", async () => {
    const prepared = await prepare();
    const { tenantId } = prepared;
    await sides.provider.faults(
      faultAt("check out", "pendingOrder", { tenantId, times: 1 }),
      faultAt("read order", "404", { tenantId, times: 2 }),
    );
    await prepared.signIn();
    await finished([prepared]);
    expect(await callsOf("check out", prepared)).toHaveLength(1);
    expect(await callsOf("read order", prepared)).toHaveLength(3);
    expect(await prepared.outcome()).toEqual(prepared.expected);
  });

  test("completes when Microsoft shows the subscription, with Microsoft's dates", async () => {
    const prepared = await prepare();
    const { tenantId } = prepared;
    await sides.provider.faults(faultAt("read subscription", "404", { tenantId, times: 2 }));
    await prepared.signIn();
    await finished([prepared]);
    expect(await callsOf("check out", prepared)).toHaveLength(1);
    expect((await callsOf("read subscription", prepared)).length).toBeGreaterThanOrEqual(3);
    expect(await prepared.outcome()).toEqual(prepared.expected);
    const { rows } = await sql<{ external_id: string; start_date: Date; end_date: Date }>`
      select external_id, start_date, end_date from subscriptions
      where order_id = ${prepared.placed.id}`.execute(context.db);
    const [row] = rows;
    const shown = await context.partnerCenterOf("IN").getSubscription(tenantId, row?.external_id ?? "");
    expect(row).toMatchObject({
      start_date: new Date(String(shown.effectiveStartDate)),
      end_date: new Date(String(shown.commitmentEndDate)),
    });
  });
});

describe("a domain that is taken between the check and the creation", () => {
  /** Expects that the buyer reads the reason, chooses another name, and gets the order. */
  async function canFinishElsewhere(prepared: Prepared): Promise<void> {
    const { order, placed } = prepared;
    await until("the buyer is asked again", async () => (await statusOf(prepared)) === "waiting_for_signin");
    const page = await order.browser.get(`${order.path}/sign-in`);
    const text = page.text.replaceAll("<!-- -->", "");
    expect(text).toContain("You will not be charged again.");
    expect(text).toContain(`${placed.domain} is not available`);

    const another = freshPrefix("another");
    const domain = `${another}.onmicrosoft.com`;
    await answerSignInNewTenant(order, { username: "chosen", prefix: another });
    const moved = { ...prepared, placed: { ...placed, domain, user: `chosen@${domain}` } };
    await finished([moved]);
    expect(await outcomeOf(sides, moved.placed)).toEqual(exactlyOnce(moved.placed));
  }

  /** Reads what is in the tenant whose domain went to someone else. */
  async function inTenant({ tenantId }: Prepared) {
    const { partnerCenter } = await sides.provider.state();
    const own = <Entity extends { customerId: string }>(all: Entity[]) =>
      all.filter(({ customerId }) => customerId === tenantId);
    return {
      users: own(partnerCenter.users)
        .map(({ userPrincipalName }) => userPrincipalName.split("@")[0])
        .sort(),
      orders: own(partnerCenter.orders).length,
      subscriptions: own(partnerCenter.subscriptions).length,
    };
  }

  test("asks the buyer again, and buys nothing twice", async () => {
    const prepared = await prepare();
    await sides.provider.faults(faultAt("make customer", "slow", { delayMs: 1_000, times: 1 }));
    await prepared.signIn();
    await until(
      "the customer is requested",
      async () => (await callsOf("make customer", prepared)).length > 0,
    );
    await sides.provider.takeDomain(prepared.placed.domain);
    await canFinishElsewhere(prepared);
    expect(await inTenant(prepared)).toEqual({ users: [], orders: 0, subscriptions: 0 });
  });

  test("leaves a tenant that another buyer created while our own call is in doubt", async () => {
    const doubting = await prepare({ username: "intruder" });
    const quicker = await prepare({ prefix: doubting.prefix });
    await sides.provider.faults(
      // It is unknown whether this call reached the provider; the second response gives the other buyer time.
      faultAt("make customer", "reset", { times: 1 }),
      faultAt("make customer", "429", { times: 1, retryAfterSeconds: 2 }),
    );
    await doubting.signIn();
    await until("two tries have failed", async () => (await callsOf("make customer", doubting)).length === 2);
    // The faster order has its tenant, of which only the step is stored.
    await sides.provider.faults(faultAt("accept agreement", "hang-before", { times: 2 }));
    await quicker.signIn();
    await canFinishElsewhere(doubting);
    await finished([quicker]);
    expect(await quicker.outcome()).toEqual(quicker.expected);
    expect(await inTenant(quicker)).toEqual({ users: ["admin", "owner"], orders: 1, subscriptions: 1 });
  });
});

test("logs no unexpected errors", () => {
  expect(world.stack.unexpectedErrors()).toEqual([]);
});
