/**
 * Google overloaded, broken, cut off, slow, or with an invalid token: retried and done once, or referred to the buyer or a
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
/** Two clocks on one machine, both in whole milliseconds. */
const clockMs = 5;
/** A timeout begins when a call is sent; the sandbox records the call on arrival, which may be later on a busy machine. */
const arrivalMs = 200;

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({
    env: {
      RETRY_BASE_MS: String(retryBaseMs),
      PROVIDER_TIMEOUT_MS: String(timeoutMs),
      // As many as concurrent orders, so that none waits for another's timeout.
      WORKER_CONCURRENCY: "30",
      DATABASE_POOL_SIZE: "4",
    },
  });
});
afterAll(() => world?.stop());
// A fault that was not used means that the test checked nothing.
afterEach(async () => {
  const { faults } = await world.sides.provider.state();
  await world.sides.provider.faults();
  expect(faults, "faults that did not strike").toEqual([]);
});

/** Lists the calls with this name that contain the order's id or domain, oldest first. */
function callsOf(name: GoogleCall, { placed }: PreparedOrder): Promise<Call[]> {
  return world.sides.provider.calls((call) => {
    const sent = JSON.stringify(call.body ?? "");
    return nameOf(call) === name && (sent.includes(placed.id) || sent.includes(placed.domain));
  });
}
const idsOf = (calls: readonly Call[]) => new Set(calls.map(({ requestId }) => requestId));

/** Signs in and waits until the order is done. @returns the names of all calls since */
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
    // An operation begun by a call without a response still runs at the retry, unless the machine is too busy to retry in time.
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

  test.each(cases)("$place, $kind: retries the call, with a single effect", async (one) => {
    const { place, kind } = one;
    const order = prepared.get(one);
    if (order === undefined) throw new Error("Expected a prepared order");
    expect(await order.outcome()).toEqual(order.expected);

    const calls = await callsOf(place, order);
    const [first, second] = calls;
    // A write that took effect without a response is found and not repeated: a customer at once, a provisioning once it has
    // ended.
    const isUnheard = kind === "reset-after" || kind === "500-after";
    const isFound =
      isUnheard && (place === "make customer" || (place === "provision" && second === undefined));
    if (isFound) expect(calls).toHaveLength(1);
    if (isFound || first === undefined) return;
    // The wait begins when the failure is known, which is later for a timeout.
    const known = kind === "timeout" ? timeoutMs - arrivalMs : 0;
    const requestedWaitMs = kind === "429" ? retryAfterSeconds * 1_000 : 0;
    expect((second?.at ?? 0) - first.at).toBeGreaterThanOrEqual(
      known + Math.max(requestedWaitMs, retryBaseMs) - clockMs,
    );

    if (place !== "buy" && place !== "transfer") return;
    // The same request id while the call may have taken effect.
    expect(calls).toHaveLength(2);
    expect(idsOf(calls)).not.toContain(undefined);
    expect(idsOf(calls).size).toBe(kind === "429" ? 2 : 1);
  });
});

describe("a write that took effect without a response", () => {
  test.each([
    { place: "buy", prepare: prepareGoogleSignUp },
    { place: "transfer", prepare: prepareTransfer },
  ] as const)("$place: keeps its request id when the next try is delayed", async ({ place, prepare }) => {
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

  test("retries a failed read without repeating the write", async () => {
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

  test("waits for slow operations", async () => {
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
  ] as const)("repeats a failed one: $place", async ({ place, prepare }) => {
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
  /** Expects that the buyer reads the reason, enters a valid token, and gets the order without a second payment. */
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

  test.each(["NOT-A-TOKEN", "EXPIRED-TOKEN"])(
    "%s: asks for the token again, but not for payment",
    async (token) => {
      const prepared = await prepareTransfer(world, { token });
      await prepared.signIn();
      await canBeEnteredAgain(prepared);
    },
  );

  test("asks again for a token that expires on the way, and imports the customer once", async () => {
    const { provider } = world.sides;
    const madeAt = new Date().toISOString();
    const prepared = await prepareTransfer(world, { token: `SANDBOX-TOKEN@${madeAt}` });
    await provider.faults(faultAt("transfer", "slow", { delayMs: 1_000, times: 1 }));
    await prepared.signIn();
    await until("the transfer is in progress", async () => (await provider.state()).faults.length === 0);
    await provider.clock(15 * 24 * 3_600_000);
    try {
      await canBeEnteredAgain(prepared);
    } finally {
      await provider.clock(0);
    }
    expect(await callsOf("import customer", prepared)).toHaveLength(1);
  });
});

/** @returns false while a worker holds the order */
async function reschedule({ placed }: { placed: { id: string } }, delay: string): Promise<boolean> {
  const { rowCount } = await world.context.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = $1 and locked_at is null),
      run_at => now() + $2::interval)`,
    [`fulfil:${placed.id}`, delay],
  );
  return rowCount === 1;
}

test("leaves a customer that another buyer created while our own call is in doubt", async () => {
  const { provider } = world.sides;
  const doubting = await prepareGoogleSignUp(world, { username: "intruder" });
  const quicker = await prepareGoogleSignUp(world, { domain: doubting.placed.domain });
  await provider.faults(
    // It is unknown whether this call reached Google; the responses after it leave time to delay the next try.
    faultAt("make customer", "reset", { times: 1 }),
    faultAt("make customer", "429", { retryAfterSeconds: 1 }),
  );
  await doubting.signIn();
  await until("two tries have failed", async () => (await callsOf("make customer", doubting)).length >= 2);
  await until("its next try is delayed", () => reschedule(doubting, "1 hour"));
  // The faster order has its customer, of which only the step is stored.
  await provider.faults(faultAt("provision", "hang-before", { times: 1 }));
  await quicker.signIn();
  await until("the faster order has its customer", async () => (await provider.state()).faults.length === 0);
  await until("its next try is due", () => reschedule(doubting, "0"));
  await world.finished([doubting]);
  expect(await statusOf(world, doubting.placed)).toBe("needs_attention");
  await world.finished([quicker]);
  expect(await quicker.outcome()).toEqual(quicker.expected);
});

test("logs no unexpected errors", () => {
  expect(world.stack.unexpectedErrors()).toEqual([]);
});
