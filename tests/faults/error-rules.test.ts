/**
 * Every row of the vendors' error tables, met by a paid order: time of the retry, the buyer's page, the mails, and the result
 * when the vendor answers again. The test performs the worker's part, so that waits are those of production.
 */
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { sandboxGoogleAccount } from "#sandbox/local/environment.ts";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { ErrorRule, ErrorVerdict } from "#server/catalogue/families/error-policies.ts";
import { googleErrorRules } from "#server/catalogue/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/catalogue/families/microsoft/refusals.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { english } from "#server/foundation/languages/text.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { checkInvitation, findOrderInvitation } from "#server/fulfilment/partner-invitations.ts";
import { probeVendor } from "#server/fulfilment/pause.ts";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { prepareMoreSeats, prepareRenewal } from "#tests/support/prepared-change.ts";
import {
  type PreparedOrder,
  prepareExistingTenant,
  prepareGoogleSignUp,
  prepareNewTenant,
} from "#tests/support/prepared-order.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";
import { contextForStack } from "#tests/support/world.ts";
import { googleCalls } from "./google-calls.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({ worker: false, env: { RETRY_BASE_MS: "5000" } });
});
afterAll(() => world?.stop());
// A pause must not affect the next test.
afterEach(async () => {
  await world.sides.provider.faults();
  await world.context.db.deleteFrom("vendor_pauses").execute();
});

type Prepare = (world: FaultWorld) => Promise<PreparedOrder>;
interface Case {
  prepare: Prepare;
  faults: Fault[];
  /** Behaviour of Google during the test; if omitted, operations are done at the first poll. */
  google?: Parameters<FaultWorld["sides"]["provider"]["google"]>[0];
  /** Whether the refusal occurs in an operation that must not be waited for. */
  isOperation?: boolean;
}

const moreSeats: Prepare = (in_) => prepareMoreSeats(in_, "microsoft");
const renewal: Prepare = (in_) => prepareRenewal(in_, "microsoft");
const { faultAt: atMicrosoft } = microsoftCalls;
const { faultAt: atGoogle } = googleCalls;

/** Calls at which a purchase meets a refusal; rows not listed use the default below. */
const placesAtMicrosoft: Readonly<Record<string, (fault: Partial<Fault>) => Case>> = {
  token: (fault) => ({ prepare: prepareNewTenant, faults: [atMicrosoft("token", "refuse", fault)] }),
  "tenant lost": (fault) => ({
    prepare: prepareLostTenant,
    faults: [atMicrosoft("accept agreement", "refuse", fault)],
  }),
  "order on its way": (fault) => ({
    prepare: prepareNewTenant,
    faults: [
      atMicrosoft("check out", "pendingOrder", { times: 1 }),
      atMicrosoft("read order", "refuse", fault),
    ],
  }),
  availability: atCheckout,
  "risk check": atCheckout,
  "credit line": atCheckout,
  "registration number": atCustomer,
  "phone number": atCustomer,
  busy: atSeats,
  "operation pending": atSeats,
  "stale etag": atSeats,
  "too many updates": atSeats,
  quantity: atSeats,
  "change at work": () => atSeats({ status: 202 }),
};

/** Same for Google. */
const placesAtGoogle: Readonly<Record<string, (fault: Partial<Fault>) => Case>> = {
  token: (fault) => ({ prepare: prepareGoogleSignUp, faults: [atGoogle("token", "refuse", fault)] }),
  "new domain": (fault) => ({
    prepare: prepareGoogleSignUp,
    faults: [atGoogle("make admin", "refuse", fault)],
  }),
  "operation at work": () => ({
    prepare: prepareGoogleSignUp,
    faults: [],
    google: { operationPolls: 1000, operationMs: 4_000 },
    isOperation: true,
  }),
  "domain taken": () => ({ prepare: prepareTakenMeanwhile, faults: [] }),
};

function atCheckout(fault: Partial<Fault>): Case {
  return { prepare: prepareNewTenant, faults: [atMicrosoft("check out", "refuse", fault)] };
}
function atCustomer(fault: Partial<Fault>): Case {
  return { prepare: prepareNewTenant, faults: [atMicrosoft("make customer", "refuse", fault)] };
}
function atSeats(fault: Partial<Fault>): Case {
  return { prepare: moreSeats, faults: [atMicrosoft("change subscription", "refuse", fault)] };
}

/** Prepares an order into an existing tenant that accepted us hours ago. */
async function prepareLostTenant(in_: FaultWorld): Promise<PreparedOrder> {
  const prepared = await prepareExistingTenant(in_);
  const { db } = in_.context;
  return {
    ...prepared,
    async signIn() {
      await prepared.signIn();
      const invitation = await findOrderInvitation(db, prepared.placed.id);
      if (invitation === null) throw new Error("Expected an invitation");
      await checkInvitation(in_.context, invitation.id);
      await sql`update invitations set accepted_at = now() - interval '3 hours'`.execute(db);
    },
  };
}

/** Prepares an order whose domain becomes another Google customer during payment. */
async function prepareTakenMeanwhile(in_: FaultWorld): Promise<PreparedOrder> {
  const prepared = await prepareGoogleSignUp(in_);
  const { domain } = prepared.placed;
  return {
    ...prepared,
    async signIn() {
      await prepared.signIn();
      const name = `accounts/${sandboxGoogleAccount}/customers/Staken${domain.split(".")[0]}`;
      await in_.sides.controls.plant({ google: { customers: [{ name, domain }] } });
    },
  };
}

/** Runs the job like a newly started worker without a token, and waits for Google's operations. */
async function carryOut(id: OrderId, { tries = 3 } = {}): Promise<void> {
  const context = contextForStack(world.stack.env);
  const { db } = context;
  try {
    for (let more = tries, isAtWork = true; isAtWork && more > 0; more -= 1) {
      await deleteQueuedJobs(db, `fulfil:${id}`);
      await fulfilOrder(context, id);
      const row = await db
        .selectFrom("fulfilments")
        .select(["status", "last_error"])
        .where("order_id", "=", id)
        .executeTakeFirst();
      isAtWork =
        row?.status === "running" &&
        row.last_error?.includes("google failed for now at operations/") === true;
    }
  } finally {
    await context.db.destroy();
  }
}

const doneOnFirstPoll = { operationPolls: 1, operationMs: 1 } as const;

/** Lists the names of the rows that the order has met. */
async function metBy(id: OrderId): Promise<string[]> {
  const { met } = await world.context.db
    .selectFrom("fulfilments")
    .select("met")
    .where("order_id", "=", id)
    .executeTakeFirstOrThrow();
  return Object.keys(z.record(z.string(), z.unknown()).parse(met));
}

/** Returns the seconds until the order's job is due; null if it has none. */
async function secondsToNext(id: OrderId): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from run_at - now())::float8 as seconds
    from graphile_worker.jobs where key = ${`fulfil:${id}`}`.execute(world.context.db);
  return rows[0]?.seconds ?? null;
}

async function mailsOf(id: OrderId): Promise<Record<string, string>> {
  const mails = await mailsOfOrder(world.context.db, id);
  return Object.fromEntries(mails.map(({ kind, data }) => [kind, JSON.stringify(data)]));
}

async function pageOf({ order }: PreparedOrder): Promise<string> {
  for (const step of ["sign-in", "place-order"]) {
    const page = await order.browser.get(`${order.path}/${step}`);
    if (page.status === 200) return page.text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
  }
  throw new Error("Expected a page for the sign-in or Place Order step");
}

/** Runs one row from the refusal to the result. */
async function drive(
  { prepare, faults, google, isOperation = false }: Case,
  { name, verdict, meaning }: { name?: string; verdict: ErrorVerdict; meaning: string },
): Promise<void> {
  const { provider } = world.sides;
  const prepared = await prepare(world);
  const { id } = prepared.placed;
  await prepared.signIn();
  await provider.faults(...faults);
  await provider.google(google ?? doneOnFirstPoll);
  await carryOut(id, isOperation ? { tries: 1 } : {});
  const page = await pageOf(prepared);
  const status = await statusOf(world, { id });
  const mails = await mailsOf(id);

  switch (verdict.action) {
    case "retry": {
      expect(status).toBe("running");
      const [first] = verdict.retry.waits;
      const wait = (await secondsToNext(id)) ?? 0;
      expect(wait).toBeGreaterThan(first - 5);
      expect(wait).toBeLessThanOrEqual(first);
      // Checks the row's name, because another row may wait as long.
      if (name !== undefined) expect(await metBy(id)).toContain(name);
      expect(page).toContain(
        verdict.buyerNote === undefined ? "This may take a minute." : english(verdict.buyerNote),
      );
      expect(Object.keys(mails)).toEqual(verdict.buyerNote === undefined ? [] : ["order-delayed"]);
      await provider.faults();
      await provider.google(doneOnFirstPoll);
      // The vendor gets the time that it requires.
      await provider.clock(5_000);
      await carryOut(id);
      await provider.clock(0);
      await isDoneOnce(prepared);
      return;
    }
    case "ask-buyer":
      if (verdict.fixableAtSignIn) {
        expect(status).toBe("waiting_for_signin");
        expect(page).toContain(`${english(verdict.problem)} You will not be charged again.`);
        expect(Object.keys(mails)).toEqual(["signin-reminder"]);
      } else {
        expect(status).toBe("needs_attention");
        expect(page).toContain("We need corrected details for your order");
        expect(page).toContain(english(verdict.problem));
        expect(mails["correction-needed"]).toContain(english(verdict.problem));
        expect(mails["operator-alert"]).toContain(meaning);
        expect(await secondsToNext(id)).toBeNull();
      }
      break;
    case "needs-attention":
      expect(status).toBe("needs_attention");
      expect(page).toContain("We're working on your order");
      expect(mails["operator-alert"]).toContain(meaning);
      expect(Object.keys(mails)).toEqual(["operator-alert"]);
      expect(await secondsToNext(id)).toBeNull();
      break;
    case "pause-vendor":
      expect(status).toBe("queued");
      expect(page).toContain("accepting orders from us right now. Your payment is safe");
      expect(mails).toEqual({});
      expect(await secondsToNext(id)).toBeNull();
      await recovers(prepared, meaning);
      return;
  }
  expect(await prepared.outcome()).toMatchObject({ payments: 1, subscriptions: [] });
}

async function isDoneOnce(prepared: PreparedOrder): Promise<void> {
  const { carts, agreements, confirmations, ...expected } = { ...prepared.expected, carts: 0, agreements: 0 };
  expect(await prepared.outcome()).toMatchObject(expected);
}

/** Expects that the vendor recovers: one order goes ahead, then the pause ends. */
async function recovers(prepared: PreparedOrder, meaning: string): Promise<void> {
  const { db } = world.context;
  const [pause, ...others] = await db.selectFrom("vendor_pauses").selectAll().execute();
  if (pause === undefined) throw new Error("Expected a vendor pause");
  expect(others).toEqual([]);
  expect(pause.reason).toContain(meaning);
  const { attempts } = await db
    .selectFrom("fulfilments")
    .select("attempts")
    .where("order_id", "=", prepared.placed.id)
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(0);
  await world.sides.provider.faults();
  await probeVendor(world.context, pause.account);
  expect(await secondsToNext(prepared.placed.id)).not.toBeNull();
  await carryOut(prepared.placed.id);
  await isDoneOnce(prepared);
  expect(await db.selectFrom("vendor_pauses").selectAll().execute()).toEqual([]);
}

/** Builds a case for every row, at its own call or at the default one. */
function casesOf<At>(
  rows: readonly ErrorRule<At>[],
  places: Readonly<Record<string, (fault: Partial<Fault>) => Case>>,
  usual: (fault: Partial<Fault>) => Case,
) {
  return rows.map(({ name, status, codes, verdict, meaning }) => {
    const [code] = codes ?? [];
    const fault = { status: status[0] ?? 400, ...(code !== undefined && { code }) };
    return { name, verdict, meaning, met: (places[name] ?? usual)(fault) };
  });
}

const casesAtMicrosoft = casesOf(microsoftRefusals, placesAtMicrosoft, (fault) => ({
  prepare: prepareNewTenant,
  faults: [atMicrosoft("make cart", "refuse", fault)],
}));

describe("Microsoft's table", () => {
  test.each(casesAtMicrosoft)("$name: $verdict.class", ({ name, met, verdict, meaning }) =>
    drive(met, { name, verdict, meaning }),
  );

  test.each([
    ["operation pending", 409, "900278"],
    ["busy", 409, "800060"],
  ])("waits for a renewal as for more seats: %s", (name, status, code) => {
    const row = microsoftRefusals.find((each) => each.name === name);
    if (row === undefined) throw new Error("Expected a row with this name");
    const faults = [atMicrosoft("change subscription", "refuse", { status, code })];
    return drive({ prepare: renewal, faults }, row);
  });

  test("requires a person for unknown codes, and when retries end", async () => {
    const unknown = [atMicrosoft("make cart", "refuse", { status: 400, code: "899999" })];
    await drive(
      { prepare: prepareNewTenant, faults: unknown },
      { verdict: { action: "needs-attention" }, meaning: "899999" },
    );

    const prepared = await moreSeats(world);
    const { id } = prepared.placed;
    await prepared.signIn();
    await world.sides.provider.faults(
      atMicrosoft("change subscription", "refuse", { status: 409, code: "900278" }),
    );
    await carryOut(id);
    await world.exhaustRetries({ id });
    await carryOut(id);
    expect(await statusOf(world, { id })).toBe("needs_attention");
    expect((await mailsOf(id))["operator-alert"]).toContain("The order stopped after 2 attempts");
  });

  test("waits at least as long as Retry-After, even if the table says less", async () => {
    const prepared = await prepareNewTenant(world);
    const { id } = prepared.placed;
    await prepared.signIn();
    await world.sides.provider.faults(atMicrosoft("make cart", "429", { retryAfterSeconds: 700 }));
    await carryOut(id);
    const wait = (await secondsToNext(id)) ?? 0;
    expect(wait).toBeGreaterThan(690);
    expect(wait).toBeLessThanOrEqual(700);
  });

  test("does not create a second cart while a checkout is in doubt", async () => {
    const prepared = await prepareNewTenant(world);
    const { id } = prepared.placed;
    await prepared.signIn();
    await world.sides.provider.faults(atMicrosoft("check out", "reset", { times: 1 }));
    await carryOut(id);
    await world.sides.provider.faults(atMicrosoft("check out", "refuse", { status: 404, code: "400019" }));
    await carryOut(id);
    expect(await statusOf(world, { id })).toBe("needs_attention");
    expect(await prepared.outcome()).toMatchObject({ carts: 1, orders: 0 });
  });
});

const casesAtGoogle = casesOf(googleErrorRules, placesAtGoogle, (fault) => ({
  prepare: prepareGoogleSignUp,
  faults: [atGoogle("buy", "refuse", fault)],
}));

describe("Google's table", () => {
  test.each(casesAtGoogle)("$name: $verdict.class", ({ name, met, verdict, meaning }) =>
    drive(met, { name, verdict, meaning }),
  );
});

test("covers every family with a vendor", () => {
  expect(familyIds.filter((id) => families[id].vendor !== null)).toEqual(["microsoft", "google"]);
});

test("lists no call for rows that do not exist", () => {
  const named = (places: object, rows: readonly { name: string }[]) =>
    Object.keys(places).filter((name) => !rows.some((row) => row.name === name));
  expect([
    ...named(placesAtMicrosoft, microsoftRefusals),
    ...named(placesAtGoogle, googleErrorRules),
  ]).toEqual([]);
});

test("logs no unexpected errors", () => {
  expect(world.stack.unexpectedErrors()).toEqual([]);
});
