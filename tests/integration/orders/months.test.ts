/** Monthly sums in My Subscriptions: past spend and future renewals, in the company's time zone and currencies. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CustomerId } from "#db/ids.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import type { MonthSums } from "#server/catalogue/pricing/months.ts";
import { readRenewalChoices } from "#server/orders/renewal-choice.ts";
import {
  forecastRenewals,
  listEndingWithinYear,
  readRenewalPrices,
} from "#server/orders/renewal-forecast.ts";
import { spendOfYear } from "#server/orders/spend.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { insertTestSubscription, insertTestTenant } from "#tests/support/subscriptions.ts";

const { db } = await createTestDatabase();
let customerId: CustomerId;
let other: CustomerId;
beforeEach(async () => {
  customerId = await makeCompany(db, await makePerson(db));
  other = await makeCompany(db, await makePerson(db), "Other Tools");
});
afterEach(() => sql`truncate orders, subscriptions cascade`.execute(db));

const now = new Date("2026-11-24T09:00:00Z");
const inIndia = { country: "IN", family: null, now } as const;
const inUsa = { ...inIndia, country: "US" } as const;

/** Formats the months with an amount, by currency: "INR 2026-11 1.00". */
const amountsIn = (sums: readonly MonthSums[]) =>
  sums.flatMap(({ total, months }) =>
    months
      .filter(({ amount }) => amount.minor > 0)
      .map(({ month, amount }) => `${total.currency} ${month} ${amount.minor / 100}`),
  );
const totalsOf = (sums: readonly MonthSums[]) =>
  sums.map(({ total }) => `${total.currency} ${total.minor / 100}`);

describe("past spend", () => {
  const paid = (at: string, rupees: number, changes: Parameters<typeof makeOrder>[2] = {}) =>
    makeOrder(
      db,
      {},
      {
        customer_id: customerId,
        draft_key: null,
        stage: "stage4",
        payment_status: "completed",
        paid_at: new Date(at),
        total_minor: rupees * 100,
        ...changes,
      },
    );

  test("sums payments by month, for this month and the eleven before", async () => {
    await paid("2025-11-30T18:29:59Z", 1);
    await paid("2025-11-30T18:30:00Z", 2);
    await paid("2026-06-15T00:00:00Z", 30);
    await paid("2026-06-16T00:00:00Z", 12.5);
    await paid("2026-11-24T08:59:00Z", 4);
    const sums = await spendOfYear(db, customerId, inIndia);
    expect(amountsIn(sums)).toEqual(["INR 2025-12 2", "INR 2026-06 42.5", "INR 2026-11 4"]);
    expect(totalsOf(sums)).toEqual(["INR 48.5"]);
    expect(sums[0]?.months.map(({ month }) => month)).toEqual([
      "2025-12",
      ...Array.from({ length: 11 }, (_, index) => `2026-${String(index + 1).padStart(2, "0")}`),
    ]);
  });

  test("uses the month of the company's country at the time of payment", async () => {
    // Midnight in Kolkata is the previous afternoon in New York.
    await paid("2026-08-31T18:30:00Z", 5);
    expect(amountsIn(await spendOfYear(db, customerId, inIndia))).toEqual(["INR 2026-09 5"]);
    expect(amountsIn(await spendOfYear(db, customerId, inUsa))).toEqual(["INR 2026-08 5"]);
    // New York is an hour further behind UTC in winter.
    await paid("2026-03-01T04:59:59Z", 6);
    await paid("2026-03-01T05:00:00Z", 7);
    expect(amountsIn(await spendOfYear(db, customerId, inUsa))).toEqual([
      "INR 2026-02 6",
      "INR 2026-03 7",
      "INR 2026-08 5",
    ]);
  });

  test("sums each currency separately", async () => {
    await paid("2026-10-10T00:00:00Z", 100);
    await paid("2026-10-11T00:00:00Z", 9, { country: "US", currency: "USD" });
    const sums = await spendOfYear(db, customerId, inIndia);
    expect(amountsIn(sums)).toEqual(["INR 2026-10 100", "USD 2026-10 9"]);
    expect(totalsOf(sums)).toEqual(["INR 100", "USD 9"]);
  });

  test("excludes refunded and unpaid orders, and those of other companies", async () => {
    await paid("2026-10-10T00:00:00Z", 100);
    await paid("2026-10-10T00:00:00Z", 1, { payment_status: "refunded" });
    await paid("2026-10-10T00:00:00Z", 2, { payment_status: "pending", paid_at: null });
    await paid("2026-10-10T00:00:00Z", 4, { customer_id: other });
    await paid("2026-10-10T00:00:00Z", 8, { customer_id: null });
    expect(amountsIn(await spendOfYear(db, customerId, inIndia))).toEqual(["INR 2026-10 100"]);
    expect(amountsIn(await spendOfYear(db, other, inIndia))).toEqual(["INR 2026-10 4"]);
  });

  test("applies the list's filter", async () => {
    await paid("2026-10-10T00:00:00Z", 100);
    await paid("2026-10-10T00:00:00Z", 7, { family: "google" });
    const ofGoogle = { ...inIndia, family: "google" } as const;
    expect(amountsIn(await spendOfYear(db, customerId, ofGoogle))).toEqual(["INR 2026-10 7"]);
  });
});

describe("future renewals", () => {
  // Twelve yearly licences of Business Standard, and ten monthly ones of Teams Essentials, before tax.
  const year = 104_976;
  const month = 950;
  const endsAt = (end: string, changes: Parameters<typeof insertTestSubscription>[2] = {}) =>
    insertTestSubscription(db, customerId, { end_date: new Date(end), ...changes });
  const monthly = {
    item: "microsoft-teams-essentials",
    term: "P1M",
    billing_cycle: "monthly",
    quantity: 10,
  } as const;
  const ahead = async (query: typeof inIndia | typeof inUsa = inIndia) => {
    const ending = await listEndingWithinYear(db, customerId, query);
    const costs = await readRenewalPrices(db, sandboxSellers.sellers, customerId, ending);
    return forecastRenewals(ending, costs, await readRenewalChoices(db, ending), query);
  };

  test("counts a yearly term in the month of its end, at today's price", async () => {
    // The last minute of a month in Kolkata, and the first of the next.
    await endsAt("2026-12-31T18:29:00Z");
    await endsAt("2027-01-31T18:30:00Z");
    await endsAt("2027-11-24T08:59:00Z");
    await endsAt("2027-11-24T09:00:00Z");
    const { sums, unpriced } = await ahead();
    expect(amountsIn(sums)).toEqual([
      `INR 2026-12 ${year}`,
      `INR 2027-02 ${year}`,
      `INR 2027-11 ${2 * year}`,
    ]);
    expect(totalsOf(sums)).toEqual([`INR ${4 * year}`]);
    expect(sums[0]?.months).toHaveLength(12);
    expect(unpriced).toBe(0);
    const inNewYork = amountsIn((await ahead(inUsa)).sums);
    expect(inNewYork).toEqual([`INR 2026-12 ${year}`, `INR 2027-01 ${year}`, `INR 2027-11 ${2 * year}`]);
  });

  test("covers twelve months, beginning with this one if a term ends in it", async () => {
    await endsAt("2026-11-30T18:29:00Z");
    await endsAt("2027-10-31T18:29:00Z");
    await endsAt("2027-10-31T18:30:00Z", monthly);
    const { sums } = await ahead();
    expect(amountsIn(sums)).toEqual([`INR 2026-11 ${year}`, `INR 2027-10 ${year}`]);
    expect(sums[0]?.months).toHaveLength(12);
  });

  test("counts every month of a monthly term", async () => {
    await endsAt("2026-12-10T00:00:00Z", monthly);
    const { sums } = await ahead();
    expect(amountsIn(sums)).toHaveLength(12);
    expect(totalsOf(sums)).toEqual([`INR ${12 * month}`]);
  });

  test("excludes terms that are paid, over, suspended or another company's", async () => {
    await endsAt("2028-02-01T00:00:00Z", {
      next_term_start: new Date("2027-02-01T00:00:00Z"),
      next_term_quantity: 12,
    });
    await endsAt("2026-11-24T08:00:00Z");
    await endsAt("2027-02-01T00:00:00Z", { status: "cancelled" });
    await endsAt("2027-02-01T00:00:00Z", { suspended: true });
    await insertTestSubscription(db, other, { end_date: new Date("2027-02-01T00:00:00Z") });
    const renewing = await endsAt("2026-12-01T00:00:00Z");
    await makeOrder(
      db,
      {},
      { kind: "RENEW", stage: "stage3", payment_status: "completed", subscription_id: renewing },
    );
    expect(await ahead()).toEqual({ sums: [], due: [], unpriced: 0 });
  });

  test("uses the currency of the country where each was bought", async () => {
    const tenant = await insertTestTenant(db, customerId, {
      family: "microsoft",
      external_id: "in-the-usa",
      domain: "acme-us.onmicrosoft.com",
    });
    await db.updateTable("tenants").set({ country: "US" }).where("id", "=", tenant).execute();
    await endsAt("2027-03-01T00:00:00Z", { tenant_id: tenant });
    await endsAt("2027-03-01T00:00:00Z");
    const { sums } = await ahead();
    expect(sums.map(({ total }) => total.currency)).toEqual(["INR", "USD"]);
    expect(amountsIn(sums)[0]).toBe(`INR 2027-03 ${year}`);
  });

  test("lists renewals that are due, first to end first, with their cost", async () => {
    const second = await endsAt("2026-12-20T09:00:00Z");
    const first = await endsAt("2026-12-10T09:00:00Z");
    await endsAt("2026-12-26T09:00:00Z");
    await endsAt("2026-12-10T09:00:00Z", monthly);
    const { due } = await ahead();
    expect(due.map(({ subscription }) => subscription.id)).toEqual([first, second]);
    expect(due[0]?.cost?.total).toEqual({ minor: 12_387_200, currency: "INR" });
  });

  test("reports a subscription that we do not sell with this billing as without a price", async () => {
    await endsAt("2027-03-01T00:00:00Z", { term: "P1Y", billing_cycle: "monthly" });
    await endsAt("2027-03-01T00:00:00Z");
    const { sums, unpriced } = await ahead();
    expect(amountsIn(sums)).toEqual([`INR 2027-03 ${year}`]);
    expect(unpriced).toBe(1);
  });

  test("uses the current price of a plan that is no longer sold", async () => {
    const retired = { item: "microsoft-365-business-standard" };
    const items = db.updateTable("catalogue_items").where("id", "=", sql<never>`${retired.item}`);
    await items.set({ active: false }).execute();
    await endsAt("2027-03-01T00:00:00Z", retired);
    const { sums, unpriced } = await ahead();
    await items.set({ active: true }).execute();
    expect([amountsIn(sums), unpriced]).toEqual([[`INR 2027-03 ${year}`], 0]);
  });
});
