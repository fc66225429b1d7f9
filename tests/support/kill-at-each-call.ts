/**
 * Kills the worker at every provider call of several journeys, before and after the call took effect, and starts it again: the
 * outcome of each order must be the same as without a kill.
 *
 * One kill interrupts many orders: each is stopped at a different call, which the sandbox leaves unanswered, until all of them
 * wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { CallBook } from "./calls.ts";
import { type FaultWorld, startFaultWorld } from "./fault-world.ts";
import type { StoreOutcome } from "./outcome.ts";
import type { PreparedOrder } from "./prepared-order.ts";
import { until } from "./until.ts";

export interface Journey<Name extends string> {
  prepare(world: FaultWorld): Promise<PreparedOrder>;
  /** Faults on the way to the call, besides the kill. */
  faults?: Fault[];
  /** Calls at which the worker is killed. */
  killedAt: Name[];
  /** Those of them that change nothing in this journey. */
  withoutEffect?: Name[];
  /** Set if `killedAt` is every call of the journey, in order, except the token's. */
  isWhole?: true;
  /** Text on the closure page. */
  closure: string;
}

interface Options<Name extends string, JourneyName extends string> {
  calls: CallBook<Name | "token">;
  journeys: Record<JourneyName, Journey<Name | "token">>;
  /** Calls that the store itself makes once, while it accepts the sign-in. */
  storeAsks?: Name[];
}

export function killAtEachCall<Name extends string, JourneyName extends string>({
  calls: { nameOf, faultAt, effectOf },
  journeys,
  storeAsks = [],
}: Options<Name, JourneyName>): void {
  type CallName = Name | "token";
  interface Scenario {
    name: string;
    journey: Journey<CallName>;
    call: CallName;
  }
  const all = Object.entries<Journey<CallName>>(journeys);
  const scenarios: Scenario[] = all.flatMap(([journeyName, journey]) =>
    journey.killedAt.map((call) => ({ name: `${journeyName}: ${call}`, journey, call })),
  );

  let world: FaultWorld;
  /**
   * Turns off the providers' notices. Vendors' would start refreshes, which would hit the faults that are meant for orders; the
   * payment provider's would complete what the kill has to interrupt.
   */
  const silenceProviders = async () => {
    await world.sides.controls.notices("never");
    await world.sides.controls.webhooks("never");
  };
  beforeAll(async () => {
    world = await startFaultWorld({
      worker: false,
      env: {
        // Every order of a batch hangs in a separate job, and none may give up before the kill.
        WORKER_CONCURRENCY: "30",
        PROVIDER_TIMEOUT_MS: "240000",
        DATABASE_POOL_SIZE: "4",
      },
    });
    await silenceProviders();
  });
  afterAll(() => world?.stop());

  describe("without a kill", () => {
    const made = new Map<string, string[]>();
    const outcomes = new Map<string, { outcome: StoreOutcome; expected: StoreOutcome; page: string }>();
    beforeAll(async () => {
      const { stack, sides } = world;
      await stack.startWorker();
      for (const [journeyName, journey] of all) {
        await stack.pauseWorker();
        const prepared = await journey.prepare(world);
        await prepared.signIn();
        const { journal } = await sides.provider.state();
        await sides.provider.faults(...(journey.faults ?? []));
        // From here on only the worker makes calls: the store's own were answered before.
        stack.resumeWorker();
        await world.finished([prepared]);
        const calls = (await sides.provider.state()).journal.slice(journal.length);
        made.set(journeyName, [...new Set(calls.map(nameOf))]);
        const { browser, path } = prepared.order;
        const page = await browser.get(`${path}/order-processed`);
        outcomes.set(journeyName, {
          outcome: await prepared.outcome(),
          expected: prepared.expected,
          page: page.text,
        });
      }
      await stack.killWorker();
    });

    test("makes only calls that the kills cover", () => {
      const covered = new Set<string>(scenarios.map(({ call }) => call));
      const isOrders = (call: string) => call !== "token";
      for (const [journeyName, journey] of all) {
        const calls = made.get(journeyName) ?? [];
        if (journey.isWhole) expect(calls.filter(isOrders)).toEqual(journey.killedAt.filter(isOrders));
        for (const call of journey.killedAt) expect(calls, journeyName).toContain(call);
        expect(
          calls.filter((call) => !covered.has(call)),
          `calls of "${journeyName}" at which nothing is killed`,
        ).toEqual([]);
      }
    });

    test.each(all)(
      "%s: fulfils exactly once and shows it on the closure page",
      (journeyName, { closure }) => {
        const found = outcomes.get(journeyName);
        expect(found?.outcome).toEqual(found?.expected);
        expect(found?.page).toContain(closure);
      },
    );
  });

  describe.each(["hang-before", "hang-after"] as const)("killed, the call %s", (kind) => {
    const outcomes = new Map<string, { outcome: StoreOutcome; expected: StoreOutcome }>();

    /** Starts the order's fulfilment and returns when it hangs at the call. */
    async function bringToHang(
      { name, journey, call }: Scenario,
      prepared: PreparedOrder,
      whenSignedIn: () => Promise<void>,
    ): Promise<void> {
      const { provider } = world.sides;
      await provider.faults(
        ...(journey.faults ?? []),
        ...storeAsks
          .filter((each) => each === call)
          .map((each) => faultAt(each, "slow", { delayMs: 0, times: 1 })),
        faultAt(call, kind, { times: 1 }),
      );
      const effect = journey.withoutEffect?.includes(call) ? undefined : effectOf(call);
      const before = (await provider.state()).counts;
      await prepared.signIn();
      await whenSignedIn();
      await until(`${name} is held`, async () => (await provider.state()).faults.length === 0);
      if (effect === undefined) {
        await sleep(100);
        return;
      }
      const took = async () => ((await provider.state()).counts[effect] ?? 0) - (before[effect] ?? 0);
      if (kind === "hang-after") await until(`${name} takes effect`, async () => (await took()) === 1);
      else expect(await took(), `${name} took effect before it should`).toBe(0);
    }

    beforeAll(async () => {
      const { stack, sides, context } = world;
      await stack.killWorker();
      await sides.provider.reset();
      await silenceProviders();
      const prepared: { scenario: Scenario; order: PreparedOrder }[] = [];
      for (const scenario of scenarios)
        prepared.push({ scenario, order: await scenario.journey.prepare(world) });
      const isAtToken = ({ scenario }: { scenario: Scenario }) => scenario.call === "token";

      // The token belongs to the worker, not to an order: while it is awaited, nothing else continues.
      const atToken = prepared.filter(isAtToken);
      for (const { scenario, order } of atToken) {
        await bringToHang(scenario, order, stack.startWorker);
        await stack.killWorker();
      }
      await sides.provider.faults();
      await stack.startWorker();
      await world.finished(atToken.map(({ order }) => order));
      const others = prepared.filter((one) => !isAtToken(one));
      for (const { scenario, order } of others) await bringToHang(scenario, order, async () => undefined);
      const reached: string[] = [];
      for (const { scenario, order } of others)
        if (await (order.isOver?.() ?? isFulfilled(context, order))) reached.push(scenario.name);
      expect(reached, "orders that were not stopped by the kill").toEqual([]);
      await stack.killWorker();

      await sides.provider.faults();
      await stack.startWorker();
      await world.finished(others.map(({ order }) => order));
      for (const { scenario, order } of prepared) {
        outcomes.set(scenario.name, { outcome: await order.outcome(), expected: order.expected });
      }
    });

    test.each(scenarios)("$name", ({ name }) => {
      const found = outcomes.get(name);
      expect(found?.outcome).toBeDefined();
      expect(found?.outcome).toEqual(found?.expected);
    });
  });

  test("logs no errors", () => {
    expect(world.stack.unexpectedErrors()).toEqual([]);
  });
}

async function isFulfilled({ db }: FaultWorld["context"], { placed }: PreparedOrder): Promise<boolean> {
  const { stage } = await db
    .selectFrom("orders")
    .select("stage")
    .where("id", "=", placed.id)
    .executeTakeFirstOrThrow();
  return stage === "stage4";
}
