/**
 * Cancellations that the vendor does not perform: it is away for longer than the retries last, or refuses permanently. A person
 * is alerted and may end them; in every case nothing is done twice, and the refund matches what the vendor did.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callBook, guid } from "#tests/support/calls.ts";
import { runCommand } from "#tests/support/command.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { prepareCancellation } from "#tests/support/prepared-cancellation.ts";
import { until } from "#tests/support/until.ts";
import { vendorNotices } from "./paused-vendor.ts";

const subscription = `^/partner-center/v1/customers/${guid}/subscriptions/${guid}$`;
const { faultAt } = callBook<"read" | "change">({
  read: { method: "GET", path: subscription },
  change: { method: "PATCH", path: subscription, effect: "subscription.update" },
});

let world: FaultWorld;
// Retries that last two hours end after seven seconds.
beforeAll(async () => {
  world = await startFaultWorld({ env: { RETRY_BASE_MS: "5" } });
});
afterAll(() => world?.stop());
afterEach(async () => void (await world.sides.provider.faults()));

/** Prepares a cancellation while the worker is paused, so that it takes no part. */
async function prepare(given: "all" | "2") {
  await world.stack.pauseWorker();
  const prepared = await prepareCancellation(world, given);
  world.stack.resumeWorker();
  return prepared;
}

type Prepared = Awaited<ReturnType<typeof prepareCancellation>>;

const cancellationOf = ({ placed }: Prepared) =>
  world.context.db
    .selectFrom("cancellations")
    .selectAll()
    .where("order_id", "=", placed.id)
    .executeTakeFirstOrThrow();
const pageOf = async (prepared: Prepared) => {
  const { id, subscription_id } = await cancellationOf(prepared);
  return (await prepared.order.browser.get(`/subscriptions/${subscription_id}/cancel?asked=${id}`)).text;
};
const needsPerson = (prepared: Prepared) =>
  until("the cancellation needs a person", async () => (await cancellationOf(prepared)).needs_person);
const isOver = (prepared: Prepared) =>
  until("the cancellation has ended", async () => (await cancellationOf(prepared)).finished_at !== null);

const paidBack = (prepared: Prepared) =>
  until("the cancellation is done and refunded", () => prepared.isOver());
async function endsWell(prepared: Prepared): Promise<void> {
  await paidBack(prepared);
  await until("the mail has arrived", async () => (await prepared.outcome()).mails > 0);
  expect(await prepared.outcome()).toEqual(prepared.expected);
}

/** Runs `npm run cancellation`. */
const command = (...args: string[]) => runCommand(world.stack, "cancellation", ...args);

test("alerts a person once when retries end; finishes once after the vendor returns", async () => {
  const prepared = await prepare("2");
  await world.sides.provider.faults(faultAt("change", "500"));
  await prepared.signIn();
  await until("the cancellation is in progress", async () =>
    (await pageOf(prepared)).includes("This will finish automatically."),
  );
  const { id } = await cancellationOf(prepared);
  expect(await command("refuse", id, "--reason", "Too early.")).toMatchObject({
    how: "code 1",
    said: expect.stringContaining("This cancellation is still being retried."),
  });
  await needsPerson(prepared);
  expect(await pageOf(prepared)).toContain("Our team is working on it");
  const reported = (await vendorNotices(world)).filter((subject) =>
    subject.startsWith("A reduction isn't going"),
  );
  expect(reported).toHaveLength(1);
  expect((await command("list")).said).toContain(`${id}  reduce  requested, needs attention`);

  await world.sides.provider.faults();
  await endsWell(prepared);
  expect((await command("show", id)).said).toContain("refund_requested");
});

describe("a cancellation that its vendor refuses permanently", () => {
  async function stuck(given: "all" | "2"): Promise<Prepared> {
    const prepared = await prepare(given);
    await world.sides.provider.faults(faultAt("change", "refuse", { status: 400, code: "999999" }));
    await prepared.signIn();
    await needsPerson(prepared);
    return prepared;
  }

  test("ends without a refund when a person refuses it; the buyer reads the reason", async () => {
    const prepared = await stuck("all");
    const { id } = await cancellationOf(prepared);
    expect(await command("refuse", id)).toMatchObject({
      how: "code 1",
      said: expect.stringContaining("Missing --reason"),
    });
    expect((await command("refuse", id, "--reason", "It is part of an agreement.")).how).toBe("code 0");
    await isOver(prepared);
    expect(await prepared.outcome()).toMatchObject({
      states: ["refused"],
      status: "active",
      isHeld: false,
      refunds: [],
      providerRefunded: 0,
      vendorStatus: "active",
    });
    const page = await pageOf(prepared);
    expect(page).toContain("It is part of an agreement.");
    expect(page).toContain("there&#x27;s no refund");
    await until("the mail has arrived", async () =>
      (await world.sides.controls.inbox(prepared.placed.email)).some(({ subject }) =>
        subject.startsWith("Not cancelled: "),
      ),
    );
    expect((await command("refuse", id, "--reason", "Again.")).said).toContain(
      "This cancellation has already ended",
    );
    const audit = await world.context.db
      .selectFrom("audit_log")
      .select(["action", "data"])
      .where("subject", "=", `cancellation:${id}`)
      .execute();
    expect(audit).toMatchObject([
      { action: "cancellation.refuse", data: { reason: "It is part of an agreement." } },
    ]);
  });

  test("does not end as refused if the vendor has made the change", async () => {
    const prepared = await stuck("all");
    const { id, subscription_id } = await cancellationOf(prepared);
    const { external_id } = await world.context.db
      .selectFrom("subscriptions")
      .select("external_id")
      .where("id", "=", subscription_id)
      .executeTakeFirstOrThrow();
    await world.stack.pauseWorker();
    await world.sides.controls.console({ id: external_id, state: "cancelled" });
    await command("refuse", id, "--reason", "It does not go through.");
    world.stack.resumeWorker();
    await endsWell(prepared);
  });

  test("refunds once when a person finishes it after checking with the vendor", async () => {
    const prepared = await stuck("2");
    const { id } = await cancellationOf(prepared);
    const ends = await Promise.all([
      command("finish", id, "--reason", "Two licenses are gone in its console."),
      command("finish", id, "--reason", "Two licenses are gone in its console."),
    ]);
    expect(ends.map(({ how }) => how)).toContain("code 0");
    await paidBack(prepared);
    const { refunds, providerRefunded, states } = await prepared.outcome();
    expect({ refunds, providerRefunded, states }).toEqual({
      refunds: prepared.expected.refunds,
      providerRefunded: prepared.expected.providerRefunded,
      states: ["refund_requested"],
    });
  });
});

test("refuses a command for an unknown cancellation", async () => {
  const lost = await command("show", "00000000-0000-4000-8000-000000000000");
  expect(lost.how).toBe("code 1");
  expect((await command("finish")).said).toContain("Missing cancellation ID.");
});
