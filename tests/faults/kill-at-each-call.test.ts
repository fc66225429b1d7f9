/**
 * The worker is killed at every provider call of a fulfilment, before and after the call took effect, and started again:
 * one customer, one purchase, one subscription, and the password shown is the one that opens the account.
 *
 * One kill strikes many orders: each is stopped at another call, which the sandbox holds without an answer, until all stand.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Context } from "#server/context.ts";
import type { Fault } from "#server/sandbox/faults.ts";
import { trustBrowserless } from "#tests/support/browserless.ts";
import type { OpenPayment } from "#tests/support/journey.ts";
import { leversOf } from "#tests/support/levers.ts";
import { allFinished, exactlyOnce, type Outcome, outcomeOf, type Placed } from "#tests/support/outcome.ts";
import { freshPrefix, paidOrder, signInExisting, signInNew } from "#tests/support/paid-order.ts";
import { providerSideOf } from "#tests/support/provider-side.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/waiting.ts";
import { contextBeside } from "#tests/support/world.ts";
import { type CallName, effectOf, faultAt, nameOf } from "./calls.ts";

interface Journey {
  /** What the buyer asks for; null is a tenant of their own. */
  username: string | null;
  /** What goes wrong by itself on the way to the call. */
  faults: Fault[];
  /** Where the worker is killed. */
  killedAt: CallName[];
}

const journeys = {
  "new tenant": {
    username: "owner",
    faults: [],
    killedAt: [
      "token",
      "make customer",
      "read agreements",
      "accept agreement",
      "make user",
      "read roles",
      "give admin role",
      "read availabilities",
      "make cart",
      "check out",
    ],
  },
  "existing tenant": {
    username: null,
    faults: [],
    killedAt: [
      "look tenant up",
      "read agreements",
      "accept agreement",
      "read availabilities",
      "make cart",
      "check out",
    ],
  },
  // The name that Microsoft gives its own administrator: the password is in one answer only.
  "new tenant, the provider's own user": {
    username: "admin",
    faults: [],
    killedAt: ["make customer", "accept agreement"],
  },
  // Made, but never told, and the provider forgets the request id: the tenant must be found again and its password set.
  "new tenant, made unheard": {
    username: "admin",
    faults: [
      faultAt("make customer", "reset-after", { times: 1 }),
      faultAt("make customer", "500", { times: 1 }),
    ],
    killedAt: ["check domain", "find customer", "make user", "find user", "set password"],
  },
} satisfies Record<string, Journey>;
type JourneyName = keyof typeof journeys;
const journeyNames: JourneyName[] = [
  "new tenant",
  "existing tenant",
  "new tenant, the provider's own user",
  "new tenant, made unheard",
];
const journeyOf = (name: JourneyName): Journey => journeys[name];

interface Scenario {
  journey: JourneyName;
  call: CallName;
}
const scenarios: Scenario[] = journeyNames.flatMap((journey) =>
  journeyOf(journey).killedAt.map((call) => ({ journey, call })),
);
const keyOf = ({ journey, call }: Scenario) => `${journey}: ${call}`;

let stack: Stack;
let context: Context;
let sides: Parameters<typeof outcomeOf>[0];
beforeAll(async () => {
  stack = await startStack({
    template: inject("databaseTemplate"),
    worker: false,
    env: {
      ...trustBrowserless,
      // Every order of a batch hangs in a job of its own, and none may give up before the kill.
      WORKER_CONCURRENCY: "30",
      PROVIDER_TIMEOUT_MS: "60000",
      DATABASE_POOL_SIZE: "4",
    },
  });
  context = contextBeside(stack.env);
  sides = { context, provider: providerSideOf(stack.sandboxUrl), levers: leversOf(stack.sandboxUrl) };
}, 180_000);
afterAll(async () => {
  await context?.db.destroy();
  await stack?.stop();
});

interface Prepared extends Scenario {
  order: OpenPayment;
  prefix: string;
  placed: Placed;
}

/** Paid, and for an existing tenant approved: only the sign-in is missing. */
async function prepare(scenario: Scenario): Promise<Prepared> {
  const { username } = journeyOf(scenario.journey);
  const order = await paidOrder(stack);
  const prefix = freshPrefix();
  const domain = `${prefix}.onmicrosoft.com`;
  if (username === null) await sides.provider.approve(domain);
  const user = username === null ? null : `${username}@${domain}`;
  return { ...scenario, order, prefix, placed: { id: order.id, email: order.email, domain, user } };
}

function signIn({ journey, order, prefix }: Prepared): Promise<void> {
  const { username } = journeyOf(journey);
  return username === null
    ? signInExisting(order, `boss@${prefix}.onmicrosoft.com`)
    : signInNew(order, { username, prefix });
}

const finished = (orders: Prepared[]) =>
  until("all orders are fulfilled and all mail is sent", () =>
    allFinished(
      context,
      orders.map(({ placed }) => placed),
    ),
  );

describe("without a kill", () => {
  const made = new Map<JourneyName, string[]>();
  const outcomes = new Map<JourneyName, { outcome: Outcome; expected: Outcome; page: string }>();
  beforeAll(async () => {
    for (const journey of journeyNames) {
      const prepared = await prepare({ journey, call: "token" });
      await signIn(prepared);
      const { journal } = await sides.provider.state();
      await sides.provider.faults(...journeyOf(journey).faults);
      // Everything from here on is the worker's: the store's own calls were answered before.
      await stack.startWorker();
      await finished([prepared]);
      const calls = (await sides.provider.state()).journal.slice(journal.length);
      made.set(journey, [...new Set(calls.map(nameOf))]);
      const page = await prepared.order.browser.get(`${prepared.order.path}/order-processed`);
      outcomes.set(journey, {
        outcome: await outcomeOf(sides, prepared.placed),
        expected: exactlyOnce(prepared.placed),
        page: page.text,
      });
      await stack.killWorker();
    }
  }, 120_000);

  test("the list of kills is the list of calls that are made", () => {
    expect(made.get("new tenant")).toEqual(journeys["new tenant"].killedAt);
    expect(made.get("existing tenant")).toEqual(["token", ...journeys["existing tenant"].killedAt]);
    const covered = new Set<string>(scenarios.map(({ call }) => call));
    for (const [journey, calls] of made) {
      expect(
        calls.filter((call) => !covered.has(call)),
        `calls of "${journey}" at which nothing is killed`,
      ).toEqual([]);
    }
    for (const { journey, call } of scenarios) expect(made.get(journey)).toContain(call);
  });

  test.each(journeyNames)("%s: exactly once, and the closure page shows it", (journey) => {
    const found = outcomes.get(journey);
    expect(found?.outcome).toEqual(found?.expected);
    expect(found?.page).toContain(
      journey === "existing tenant" ? "Get started with your Microsoft 365 subscription" : "Welcome Onboard!",
    );
  });
});

describe.each(["hang-before", "hang-after"] as const)("killed, the call %s", (kind) => {
  const outcomes = new Map<string, { outcome: Outcome; expected: Outcome }>();

  /** Sends the order on its way and returns when it stands at the call. */
  async function bringToHang(prepared: Prepared, whenSignedIn: () => Promise<void>): Promise<void> {
    const { journey, call } = prepared;
    const { provider } = sides;
    await provider.faults(
      ...journeyOf(journey).faults,
      // The store asks once itself, while it takes the sign-in.
      ...(call === "check domain" ? [faultAt(call, "slow", { delayMs: 0, times: 1 })] : []),
      faultAt(call, kind, { times: 1 }),
    );
    const effect = effectOf(call);
    const before = (await provider.state()).counts;
    await signIn(prepared);
    await whenSignedIn();
    await until(`${keyOf(prepared)} is held`, async () => (await provider.state()).faults.length === 0);
    // A user that is there already is refused, and that is no effect.
    if (effect === undefined || (journey === "new tenant, made unheard" && call === "make user")) {
      await sleep(100);
      return;
    }
    const took = async () => ((await provider.state()).counts[effect] ?? 0) - (before[effect] ?? 0);
    if (kind === "hang-after")
      await until(`${keyOf(prepared)} takes effect`, async () => (await took()) === 1);
    else expect(await took(), `${keyOf(prepared)} took effect before it should`).toBe(0);
  }

  beforeAll(async () => {
    await sides.provider.reset();
    const prepared: Prepared[] = [];
    for (const scenario of scenarios) prepared.push(await prepare(scenario));

    // The token is the worker's, not an order's: while it is waited for nothing else goes on.
    const atToken = prepared.filter(({ call }) => call === "token");
    for (const one of atToken) {
      await bringToHang(one, stack.startWorker);
      await stack.killWorker();
    }
    await sides.provider.faults();
    await stack.startWorker();
    await finished(atToken);
    for (const one of prepared) {
      if (!atToken.includes(one)) await bringToHang(one, async () => undefined);
    }
    const reached = await context.db
      .selectFrom("orders")
      .select("id")
      .where(
        "id",
        "in",
        prepared.filter(({ call }) => call !== "token").map(({ placed }) => placed.id),
      )
      .where("stage", "=", "stage4")
      .execute();
    expect(reached, "orders that were not stopped by the kill").toEqual([]);
    await stack.killWorker();

    await sides.provider.faults();
    await stack.startWorker();
    await finished(prepared);
    for (const one of prepared) {
      outcomes.set(keyOf(one), {
        outcome: await outcomeOf(sides, one.placed),
        expected: exactlyOnce(one.placed),
      });
    }
    await stack.killWorker();
  }, 180_000);

  test.each(scenarios)("$journey: $call", (scenario) => {
    const found = outcomes.get(keyOf(scenario));
    expect(found?.outcome).toBeDefined();
    expect(found?.outcome).toEqual(found?.expected);
  });
});

test("nothing was logged as an error", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
