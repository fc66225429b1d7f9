/**
 * Google overloaded, broken, cut off, slow to finish or told a bad token: tried again and done once, or asked of the buyer or a
 * person, and never paid for twice.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import { answerSignInTransfer } from "#tests/support/paid-order.ts";
import { type PreparedOrder, prepareGoogleSignUp, prepareTransfer } from "#tests/support/prepared-order.ts";
import type { Call } from "#tests/support/provider-state.ts";
import { until } from "#tests/support/until.ts";
import { type GoogleCall, googleCalls } from "./google-calls.ts";

const { faultAt, nameOf } = googleCalls;
const retryBaseMs = 100;
const timeoutMs = 1_500;
/** Two clocks of one machine, both in whole milliseconds. */
const clockMs = 5;
/** A time-out begins when a call leaves us; it is written down when it arrives, on a busy machine so much later. */
const arrivalMs = 200;

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({
    env: {
      RETRY_BASE_MS: String(retryBaseMs),
      PROVIDER_TIMEOUT_MS: String(timeoutMs),
      // As many as orders are under way at once: none waits for another's time-out.
      WORKER_CONCURRENCY: "30",
      DATABASE_POOL_SIZE: "4",
    },
  });
});
afterAll(() => world?.stop());
// A fault that was not met is a test that tested nothing.
afterEach(async () => {
  const { faults } = await world.sides.provider.state();
  await world.sides.provider.faults();
  expect(faults, "faults that did not strike").toEqual([]);
});

/** The calls of this name that were made for this order and say so, oldest first. */
function callsOf(name: GoogleCall, { placed }: PreparedOrder): Promise<Call[]> {
  return world.sides.provider.calls((call) => {
    const sent = JSON.stringify(call.body ?? "");
    return nameOf(call) === name && (sent.includes(placed.id) || sent.includes(placed.domain));
  });
}
const idsOf = (calls: readonly Call[]) => new Set(calls.map(({ requestId }) => requestId));

/** Every call from here to the end of the order, by name. */
async function callsUntilDone(prepared: PreparedOrder): Promise<string[]> {
  const { provider } = world.sides;
  const { journal } = await provider.state();
  await prepared.signIn();
  await world.finished([prepared]);
  return (await provider.state()).journal.slice(journal.length).map(nameOf);
}
const count = (calls: readonly string[], name: GoogleCall) => calls.filter((call) => call === name).length;

describe("a call that fails", () => {
  const kinds = ["429", "500", "500-after", "timeout", "reset", "reset-after"] as const;
  const places = ["make customer", "provision", "buy", "import customer", "transfer"] as const;
  const cases = places.flatMap((place) => kinds.map((kind) => ({ place, kind })));
  type Case = (typeof cases)[number];
  const retryAfterSeconds = 1;
  const prepared = new Map<Case, PreparedOrder>();

  beforeAll(async () => {
    for (const one of cases) {
      const isTransfer = one.place === "import customer" || one.place === "transfer";
      prepared.set(one, await (isTransfer ? prepareTransfer(world) : prepareGoogleSignUp(world)));
    }
    const orders = [...prepared];
    // What was begun unheard is still at work when it is asked for again, unless the machine is too busy to ask in time.
    await world.sides.provider.google({ operationPolls: 1, operationMs: 5_000 });
    await world.sides.provider.faults(
      ...orders.map(([{ place, kind }, { placed }]) =>
        faultAt(place, kind, { times: 1, retryAfterSeconds, body: `${placed.id}|${placed.domain}` }),
      ),
    );
    await Promise.all(orders.map(([, order]) => order.signIn()));
    await world.finished([...prepared.values()]);
    await world.sides.provider.google({ operationPolls: 1, operationMs: 1_000 });
  });

  test.each(cases)("$place, $kind: is tried again, and done once", async (one) => {
    const { place, kind } = one;
    const order = prepared.get(one);
    if (order === undefined) throw new Error("The order was not prepared");
    expect(await order.outcome()).toEqual(order.expected);

    const calls = await callsOf(place, order);
    const [first, second] = calls;
    // A write that was carried out unheard is found, and not asked for again: a customer at once, a provisioning once it has ended.
    const isUnheard = kind === "reset-after" || kind === "500-after";
    const isFound =
      isUnheard && (place === "make customer" || (place === "provision" && second === undefined));
    if (isFound) expect(calls).toHaveLength(1);
    if (isFound || first === undefined) return;
    // The wait begins when the failure is known: with a time-out that is later.
    const known = kind === "timeout" ? timeoutMs - arrivalMs : 0;
    const requestedWaitMs = kind === "429" ? retryAfterSeconds * 1_000 : 0;
    expect((second?.at ?? 0) - first.at).toBeGreaterThanOrEqual(
      known + Math.max(requestedWaitMs, retryBaseMs) - clockMs,
    );

    if (place !== "buy" && place !== "transfer") return;
    // The same request id as long as the call may have been carried out.
    expect(calls).toHaveLength(2);
    expect(idsOf(calls)).not.toContain(undefined);
    expect(idsOf(calls).size).toBe(kind === "429" ? 2 : 1);
  });
});

describe("a write that was carried out unheard", () => {
  test.each([
    { place: "buy", prepare: prepareGoogleSignUp },
    { place: "transfer", prepare: prepareTransfer },
  ] as const)("$place: keeps its request id when the next try is put off", async ({ place, prepare }) => {
    const prepared = await prepare(world);
    await world.sides.provider.faults(
      faultAt(place, "reset-after", { times: 1 }),
      faultAt(place, "429", { times: 1, retryAfterSeconds: 0 }),
    );
    await callsUntilDone(prepared);
    expect(idsOf(await callsOf(place, prepared)).size).toBe(1);
    expect(await prepared.outcome()).toEqual(prepared.expected);
  });
});

describe("an operation", () => {
  const pass = (times: number) => faultAt("read operation", "slow", { delayMs: 0, times });

  test("that cannot be read is asked for again, and what began it is not done again", async () => {
    const signUp = await prepareGoogleSignUp(world);
    await world.sides.provider.faults(
      faultAt("read operation", "429", { times: 1, retryAfterSeconds: 0 }),
      pass(1),
      faultAt("read operation", "500", { times: 1 }),
    );
    const calls = await callsUntilDone(signUp);
    expect([count(calls, "provision"), count(calls, "buy"), count(calls, "read operation")]).toEqual([
      1, 1, 4,
    ]);
    expect(await signUp.outcome()).toEqual(signUp.expected);

    const transfer = await prepareTransfer(world);
    await world.sides.provider.faults(faultAt("read operation", "500", { times: 1 }));
    expect(count(await callsUntilDone(transfer), "transfer")).toBe(1);
    expect(await transfer.outcome()).toEqual(transfer.expected);
  });

  test("that takes its time is waited for", async () => {
    const signUp = await prepareGoogleSignUp(world);
    const transfer = await prepareTransfer(world);
    await world.sides.provider.google({ operationPolls: 3, operationMs: 600_000 });
    const calls = [...(await callsUntilDone(signUp)), ...(await callsUntilDone(transfer))];
    await world.sides.provider.google({ operationPolls: 1, operationMs: 1_000 });
    const begun = (["provision", "buy", "transfer"] as const).map((name) => count(calls, name));
    expect([...begun, count(calls, "read operation")]).toEqual([1, 1, 1, 9]);
    expect(await signUp.outcome()).toEqual(signUp.expected);
    expect(await transfer.outcome()).toEqual(transfer.expected);
  });

  test.each([
    { place: "provision", prepare: prepareGoogleSignUp },
    { place: "buy", prepare: prepareGoogleSignUp },
    { place: "transfer", prepare: prepareTransfer },
  ] as const)("that fails is begun anew: $place", async ({ place, prepare }) => {
    const prepared = await prepare(world);
    await world.sides.provider.faults(faultAt(place, "operationError", { times: 1 }));
    await callsUntilDone(prepared);
    const calls = await callsOf(place, prepared);
    expect(calls).toHaveLength(2);
    if (place !== "provision") expect(idsOf(calls).size).toBe(2);
    expect(await prepared.outcome()).toEqual(prepared.expected);
  });
});

describe("a transfer token", () => {
  /** The buyer reads why, enters a good one and has what was paid for, without paying again. */
  async function canBeEnteredAgain(prepared: PreparedOrder): Promise<void> {
    const { order, placed } = prepared;
    const isAwaitingSignIn = async () => (await statusOf(world, placed)) === "waiting_for_signin";
    await until("the buyer is asked again", isAwaitingSignIn);
    const page = await order.browser.get(`${order.path}/sign-in`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(
      "Google didn't accept the transfer token. It may be mistyped, already used or more than 14 days old. Enter a new one.",
    );
    expect(page.text).toMatch(/<input[^>]* name="transferToken"/);
    const { payments } = await prepared.outcome();
    expect(payments).toBe(1);
    // Neither Place Order nor the checkout is shown again.
    expect((await order.browser.get(`${order.path}/place-order`)).location).toBe(`${order.path}/sign-in`);

    await answerSignInTransfer(order, "SANDBOX-TOKEN");
    await world.finished([prepared]);
    expect(await prepared.outcome()).toEqual(prepared.expected);
    expect((await order.browser.get(`${order.path}/order-processed`)).text).not.toContain(
      "accept the transfer token",
    );
  }

  test.each(["NOT-A-TOKEN", "EXPIRED-TOKEN"])("%s: is asked for again, the payment is not", async (token) => {
    const prepared = await prepareTransfer(world, { token });
    await prepared.signIn();
    await canBeEnteredAgain(prepared);
  });

  test("that expires on the way: is asked for again, and the customer is not imported again", async () => {
    const { provider } = world.sides;
    const madeAt = new Date().toISOString();
    const prepared = await prepareTransfer(world, { token: `SANDBOX-TOKEN@${madeAt}` });
    await provider.faults(faultAt("transfer", "slow", { delayMs: 1_000, times: 1 }));
    await prepared.signIn();
    await until("it is being moved", async () => (await provider.state()).faults.length === 0);
    await provider.clock(15 * 24 * 3_600_000);
    try {
      await canBeEnteredAgain(prepared);
    } finally {
      await provider.clock(0);
    }
    expect(await callsOf("import customer", prepared)).toHaveLength(1);
  });
});

/** @returns false while a worker has the order */
async function reschedule({ placed }: { placed: { id: string } }, delay: string): Promise<boolean> {
  const { rowCount } = await world.context.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = $1 and locked_at is null),
      run_at => now() + $2::interval)`,
    [`fulfil:${placed.id}`, delay],
  );
  return rowCount === 1;
}

test("a domain that another buyer of ours gets while our own try is in doubt: their customer stays theirs", async () => {
  const { provider } = world.sides;
  const doubting = await prepareGoogleSignUp(world, { username: "intruder" });
  const quicker = await prepareGoogleSignUp(world, { domain: doubting.placed.domain });
  await provider.faults(
    // Whether this reached Google nobody knows; the answers after it leave time to put the next try off.
    faultAt("make customer", "reset", { times: 1 }),
    faultAt("make customer", "429", { retryAfterSeconds: 1 }),
  );
  await doubting.signIn();
  await until("two tries have failed", async () => (await callsOf("make customer", doubting)).length >= 2);
  await until("its next try is put off", () => reschedule(doubting, "1 hour"));
  // The quicker one has its customer, and nothing of it is written down but the step.
  await provider.faults(faultAt("provision", "hang-before", { times: 1 }));
  await quicker.signIn();
  await until("the quicker one has its customer", async () => (await provider.state()).faults.length === 0);
  await until("its next try is due", () => reschedule(doubting, "0"));
  await world.finished([doubting]);
  expect(await statusOf(world, doubting.placed)).toBe("needs_attention");
  await world.finished([quicker]);
  expect(await quicker.outcome()).toEqual(quicker.expected);
});

test("nothing was logged as an error", () => {
  expect(world.stack.unexpectedErrors()).toEqual([]);
});
