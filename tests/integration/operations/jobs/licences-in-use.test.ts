/**
 * Licences in use, as vendors report them: read nightly with each account, stored with their time, shown on pages and in mails.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { selectLicencesInUse } from "#db/orders/vendor-snapshots.ts";
import { sendMail } from "#server/mail/send.ts";
import { refreshSubscription } from "#server/orders/subscriptions/refresh.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import {
  type Customer,
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, sandbox, controls } = await startWorld();
const { db } = context;

async function planted(
  holding: Parameters<typeof createSubscriptionFor>[2] = {},
): Promise<{ customer: Customer; held: CustomerSubscription }> {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, holding);
  await seedProviders(db, sandbox.url, customer);
  return { customer, held };
}
const look = (held: CustomerSubscription, family: "microsoft" | "google" = "microsoft") =>
  syncAccount(context, { family, externalId: held.tenantExternalId }, { secondsBetweenLists: 0.001 });
const reportOf = async ({ id }: CustomerSubscription) => {
  const inUse = (await selectLicencesInUse(db, [id])).get(id);
  return inUse === undefined ? null : [inUse.assigned, inUse.of];
};

describe("licences in use", () => {
  test("reads Microsoft's field names, and ignores a reading without them", async () => {
    const { held } = await planted({ quantity: 40, item: "microsoft-365-business-standard" });
    await controls.console({ id: held.externalId, assigned: 31 });
    await look(held);
    expect(await reportOf(held)).toEqual([31, 40]);
    await controls.console({ id: held.externalId, assigned: 12 });
    await refreshSubscription(context, held.id);
    expect(await reportOf(held)).toEqual([31, 40]);
    await look(held);
    expect(await reportOf(held)).toEqual([12, 40]);
  });

  test("shares Microsoft's count per product between its subscriptions", async () => {
    const customer = await makeCustomer(db);
    const one = await createSubscriptionFor(db, customer, { quantity: 10 });
    const other = await createSubscriptionFor(db, customer, { quantity: 5, parent: one });
    await seedProviders(db, sandbox.url, customer);
    await controls.console({ id: one.externalId, assigned: 8 });
    await controls.console({ id: other.externalId, assigned: 3 });
    await look(one);
    expect([await reportOf(one), await reportOf(other)]).toEqual([
      [11, 15],
      [11, 15],
    ]);
  });

  test("reads the count from Google's entitlement", async () => {
    const { held } = await planted({ family: "google", quantity: 25 });
    await controls.console({ id: held.externalId, assigned: 0 });
    await look(held, "google");
    expect(await reportOf(held)).toEqual([0, 25]);
  });
});

test("reads the subscriptions of a tenant in which we have no role, without their use", async () => {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { quantity: 10 });
  // Planted first, because the demo's seeding would give us a role.
  await controls.plant({ customers: [{ domain: held.domain, id: held.tenantExternalId }] });
  await seedProviders(db, sandbox.url, customer);
  await controls.console({ id: held.externalId, quantity: 7 });
  await look(held);
  expect(await reportOf(held)).toBeNull();
  const { quantity } = await db
    .selectFrom("subscriptions")
    .select("quantity")
    .where("id", "=", held.id)
    .executeTakeFirstOrThrow();
  expect(quantity).toBe(7);
});

test("stores the use of a subscription bought elsewhere when it is imported", async () => {
  const { held } = await planted({ quantity: 10 });
  const item = "exchange-online-plan-1";
  if (!isItemId(item)) throw new Error("Plan not found");
  const id = randomUUID();
  await controls.plant({
    subscriptions: [
      {
        id,
        customerId: held.tenantExternalId,
        productId: "CFQ7TTC0LH16",
        skuId: "0001",
        quantity: 6,
        assigned: 4,
        termDuration: "P1Y",
        billingCycle: "annual",
        effectiveStartDate: new Date().toISOString(),
        commitmentEndDate: "2099-01-31T00:00:00Z",
      },
    ],
  });
  const { takenIn } = await look(held);
  const [taken] = takenIn;
  if (taken === undefined) throw new Error("Expected an imported subscription");
  expect((await selectLicencesInUse(db, [taken.subscriptionId])).get(taken.subscriptionId)).toMatchObject({
    assigned: 4,
    of: 6,
  });
});

describe("a renewal mail", () => {
  async function letterOf({
    customer,
    held,
  }: {
    customer: Customer;
    held: CustomerSubscription;
  }): Promise<string> {
    await sendRenewalReminders(context);
    const mails = await db.selectFrom("mails").select("id").where("sent_at", "is", null).execute();
    for (const { id } of mails) await sendMail(context, id);
    const letters = (await controls.inbox(customer.owner.email)).filter(({ text }) =>
      text.includes(held.domain),
    );
    return letters[0]?.text ?? "";
  }

  test("reports the licences in use, and the saving from renewing only those", async () => {
    const known = await planted({
      quantity: 200,
      item: "microsoft-365-business-standard",
      endsInDays: 25,
    });
    await controls.console({ id: known.held.externalId, assigned: 101 });
    await look(known.held);
    // 99 licences at ₹8,748, plus 18%: the difference of two rounded totals.
    expect(await letterOf(known)).toMatch(
      /On .*, 101 of your 200 licenses were in use\. Renewing only those would save ₹10,21,941, including GST\./,
    );
  });

  test("mentions no saving where all or none are renewed", async () => {
    const known = await planted({ family: "google", quantity: 25, endsInDays: 25 });
    await look(known.held, "google");
    const letter = await letterOf(known);
    expect(letter).toMatch(/On .*, 18 of your 25 licenses were in use\./);
    expect(letter).not.toContain("would save");
  });
});
