/**
 * The worker is killed at each call to the invoice registration portal, before and after it takes effect, and restarted: every
 * invoice is registered once, and its buyer gets one mail.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fault } from "#sandbox/vendors/faults.ts";
import { requestRegistrationCancellation } from "#server/billing/documents/cancel-registration.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { until } from "#tests/support/until.ts";

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({ worker: false, env: { PROVIDER_TIMEOUT_MS: "240000" } });
});
afterAll(() => world?.stop());

const register = { method: "POST", path: "/gsp/ei/api/invoice$" };
const lookUp = { method: "GET", path: "/gsp/ei/api/invoice/irn" };
const cancel = { method: "POST", path: "/gsp/ei/api/invoice/cancel$" };
const registrations = async () => (await world.sides.provider.state()).counts["einvoice.register"] ?? 0;
const held = () =>
  until("the call is held", async () => (await world.sides.provider.state()).faults.length === 0);

/** Creates a paid order of a business, whose invoice waits for a worker. */
async function bought() {
  const order = await toCheckout(world.stack.url, {
    account: {
      companyName: "Bright Orchard Technologies",
      organisationRegistrationNumber: "29AABCB1234C1ZA",
      gst_code: "29AABCB1234C1ZA",
    },
  });
  await payFor(order, world.stack.sandboxUrl);
  return order;
}

const documentOf = (id: Awaited<ReturnType<typeof bought>>["id"]) =>
  world.context.db.selectFrom("e_invoices").selectAll().where("order_id", "=", id).executeTakeFirstOrThrow();

test.each<[string, Fault[]]>([
  ["before it is registered", [{ match: register, kind: "hang-before", times: 1 }]],
  ["after it was registered", [{ match: register, kind: "hang-after", times: 1 }]],
  [
    "while it is looked up",
    [
      { match: register, kind: "reset-after", times: 1 },
      { match: lookUp, kind: "hang-before", times: 1 },
    ],
  ],
])("registers the invoice once when killed %s", async (_when, faults) => {
  const { stack, sides, context } = world;
  const before = await registrations();
  const { id } = await bought();
  await sides.provider.faults(...faults);
  await stack.startWorker();
  await held();
  if (faults.some(({ kind }) => kind.endsWith("-after")))
    await until("the invoice is registered", async () => (await registrations()) === before + 1);
  await stack.killWorker();
  expect((await documentOf(id)).state).toBe("pending");

  await stack.startWorker();
  await until("the invoice is registered", async () => (await documentOf(id)).state === "final");
  await until(
    "the mail has gone out",
    async () =>
      (
        await context.db
          .selectFrom("mails")
          .select("sent_at")
          .where("order_id", "=", id)
          .where("kind", "=", "invoice-ready")
          .execute()
      ).filter(({ sent_at }) => sent_at !== null).length === 1,
  );
  await stack.stopWorker();
  expect(await registrations()).toBe(before + 1);
});

test.each(["hang-before", "hang-after"] as const)(
  "cancels the registration when killed during the call: %s",
  async (kind) => {
    const { stack, sides, context } = world;
    const { id } = await bought();
    await stack.startWorker();
    await until("the invoice is registered", async () => (await documentOf(id)).state === "final");
    await sides.provider.faults({ match: cancel, kind, times: 1 });
    const { number } = await documentOf(id);
    await requestRegistrationCancellation(context.db, number, {
      code: "3",
      words: "Refunded",
      by: "meera",
      now: new Date(),
    });
    await held();
    await stack.killWorker();
    expect((await documentOf(id)).state).toBe("final");
    await stack.startWorker();
    await until("it is cancelled", async () => (await documentOf(id)).state === "cancelled");
    await stack.stopWorker();
  },
);

test("logs no unexpected errors", () => {
  expect(world.stack.unexpectedErrors()).toEqual([]);
});
