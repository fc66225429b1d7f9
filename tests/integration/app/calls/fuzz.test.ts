/** Sends arbitrary input to every call: it responds without an internal error, and a refusal stores nothing. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createSession } from "#server/accounts/sessions.ts";
import {
  ApiClient,
  accountPayload,
  endpointAt,
  endpointEntries,
  requireSuccess,
} from "#tests/support/api-client.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

let buyer: { token: string; id: string; email: string };
/** A company with a subscription that can be extended and renewed. */
let holder: { token: string; held: string };
const { stack, context } = await startStore();
beforeAll(async () => {
  const email = freshEmail();
  const begun = z.object({ id: z.string(), token: z.string() });
  const sent = { ...plan, ...accountPayload(email) };
  const customer = await makeCustomer(context.db);
  const { id: held } = await createSubscriptionFor(context.db, customer, { endsInDays: 20 });
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, customer.owner.userId);
  holder = { token, held };
  buyer = { email, ...requireSuccess(begun, await new ApiClient(stack.url).post("/create/order", sent)) };
});
afterAll(async () => {
  const faults = stack.unexpectedErrors();
  expect(faults).toEqual([]);
});

const plan = { sku_id: "microsoft-365-business-basic", console: "IP", count: 2 };

/** Values that no regular client sends. */
const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    " ",
    "\0",
    "\ud800",
    "a\0b",
    "%00",
    "'; drop table orders; --",
    "../../etc/passwd",
    "null",
    -1,
    0,
    0.1,
    1e308,
    -0,
    Number.MAX_SAFE_INTEGER,
    "9".repeat(400),
    "x".repeat(10_000),
    [],
    [[]],
    ["a", "b"],
    {},
    { $ne: null },
    { toString: "x" },
    { __proto__: null, constructor: { prototype: { admin: true } } },
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.json().map((text): unknown => JSON.parse(text)),
);
const nastyName = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "",
  "toString",
  "length",
);

/** Serialises entries as own keys regardless of their names, as JSON.parse creates them. */
const objectOf = (entries: [string, unknown][]) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const isOfSubscription = (path: string) => /\{(subscriptionId|id)\}/.test(path);
const address = (path: string) =>
  path.replaceAll(/\{\w+\}/g, isOfSubscription(path) ? holder.held : "t".repeat(43));
const tokenFor = (path: string) => (isOfSubscription(path) ? holder.token : buyer.token);
const namesOf = (schema: unknown) => {
  const { shape = {} } = z.object({ shape: z.record(z.string(), z.unknown()).optional() }).parse(schema);
  return ["id", ...Object.keys(shape)];
};

async function send(method: "GET" | "POST", path: string, entries: [string, unknown][], token: string) {
  const client = new ApiClient(stack.url, token);
  const query = new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, textOf(value).slice(0, 2_000)]),
  );
  const reply =
    method === "GET"
      ? await client.get(`${path}?${query}`)
      : await client.ask(method, path, objectOf(entries));
  expect(
    reply.status,
    `${method} ${path} ${JSON.stringify(entries)} ${JSON.stringify(reply.body)}`,
  ).toBeLessThan(500);
  return reply.status;
}

test.each(endpointEntries.map(({ path, call }) => [call.method.toUpperCase(), path] as const))(
  "%s %s: handles any input without an error and stores none of it",
  async (method, path) => {
    const names = namesOf(endpointAt(method, address(path)).input);
    const body = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), nastyName), nasty), { maxLength: 6 });
    const before = await digestDatabase(context.db);
    let kept = false;
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (entries, signedIn) => {
        const token = signedIn ? tokenFor(path) : "";
        const status = await send(method === "GET" ? "GET" : "POST", address(path), entries, token);
        kept ||= status === 200 && method === "POST";
      }),
      { numRuns: 8 },
    );
    if (!kept) expect(await digestDatabase(context.db)).toEqual(before);
  },
);

/** Payloads in which the test replaces one field. */
const good: [path: string, body: () => Record<string, unknown>][] = [
  ["/subscriptiondetails", () => ({ ...plan })],
  ["/create/order", () => ({ ...plan, ...accountPayload() })],
  ["/createacount", () => ({ ...accountPayload(buyer.email), id: buyer.id })],
  ["/api/capturepayment", () => ({ data: { id: buyer.id, terms: true, totalAmount: 1 } })],
  ...["/add/user/{subscriptionId}", "/renew-subscription/{id}"].map((path): (typeof good)[number] => [
    path,
    () => ({
      subscription_id: holder.held,
      terms: true,
      payment_details: { quantity: 2, total_amount: 1, console: "IP" },
    }),
  ]),
  ["/mssignup", () => ({ order_id: buyer.id, username: "owner", tenantname: "acme", quantity: 2 })],
];

test.each(good)("POST %s: stores nothing when one field is wrong", async (path, body) => {
  const names = namesOf(endpointAt("POST", address(path)).input);
  let before = await digestDatabase(context.db);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), nasty, async (name, value) => {
      const entries = Object.entries({ ...body(), [name]: value });
      const status = await send("POST", address(path), entries, tokenFor(path));
      const after = await digestDatabase(context.db);
      if (status !== 200) expect(after).toEqual(before);
      before = after;
    }),
    { numRuns: 15 },
  );
});

test.each(["/add/user/{subscriptionId}", "/renew-subscription/{id}"])(
  "POST %s: stores nothing when one of the payment details is wrong",
  async (path) => {
    const { shape } = z
      .object({
        shape: z.object({ payment_details: z.object({ shape: z.record(z.string(), z.unknown()) }) }),
      })
      .parse(endpointAt("POST", address(path)).input);
    const names = Object.keys(shape.payment_details.shape);
    let before = await digestDatabase(context.db);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), nasty, async (name, value) => {
        const details = { quantity: 2, total_amount: 1, [name]: value };
        const entries: [string, unknown][] = [
          ["terms", true],
          ["payment_details", details],
        ];
        const status = await send("POST", address(path), entries, holder.token);
        const after = await digestDatabase(context.db);
        if (status !== 200) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: 25 },
    );
  },
);

test("refuses deeply nested brackets and very long numbers", async () => {
  for (const text of ["[".repeat(60_000), `${"[".repeat(30_000)}${"]".repeat(30_000)}`, "9".repeat(60_000)]) {
    const { status } = await new ApiClient(stack.url).ask("POST", "/api/search", text);
    expect(status).toBe(400);
  }
  const deep = `{"query":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}`;
  expect((await new ApiClient(stack.url).ask("POST", "/api/search", deep)).status).toBe(400);
});
