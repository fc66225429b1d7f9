/**
 * Lives of a subscription through public interfaces (forms, commands, a worker), with failing refunds, for consumers, companies
 * in the seller's state and in another, in a special economic zone and abroad. After each step the store's payments, refunds
 * and documents agree with each other and with the payment provider's account to the paisa and the cent. At the end the books
 * show no difference, and neither do both vendors' bills. To repeat a life, pass its name: -t "life 17:".
 */
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { parseId } from "#db/ids.ts";
import { utcMonth } from "#server/billing/reconciliation/days.ts";
import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { fetchMarket, listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet } from "#server/desk/vendor-catalogue/prices.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import {
  ageSubscription,
  type BoughtSubscription,
  buyMore,
  buySubscription,
  cancelAndWait,
  cancelPage,
  renew,
} from "#tests/support/bought-subscription.ts";
import { runCommand } from "#tests/support/command.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

/** Letters of undertaking for every financial year in which this test may run. */
const letters = [-1, 0, 1]
  .map((years) => new Date().getFullYear() + years)
  .map((year) => `${year}-${String(year + 1).slice(2)} AD2903${year}00103V`)
  .join("; ");
// There is no US seller, so the Indian one exports.
const store = await startStore({
  worker: true,
  env: { SELLER_NAME_US: "", SELLER_ADDRESS_US: "", SELLER_EIN_US: "", SELLER_LUT: letters },
});
const { stack, context, controls } = store;
const { db } = context;
const dayMs = 86_400_000;

const ways = ["card", "card", "two transfers", "too much", "short by TDS"] as const;
const acts = ["more", "reduce", "refund", "refund", "failed refund", "days pass"] as const;

const company = (gstin: string, place: Record<string, string> = {}) => ({
  organisationRegistrationNumber: gstin,
  gst_code: gstin,
  ...place,
});
/** Kinds of buyers, with the portal's name for their kind of supply. */
const buyers = {
  consumer: { country: "IN", supply: "B2C", account: {} },
  "a company in the same state": { country: "IN", supply: "B2B", account: company("29AABCB1234C1ZA") },
  "a company in another state": {
    country: "IN",
    supply: "B2B",
    account: company("27AAPFU0939F1ZV", { state: "Maharashtra", city: "Mumbai", pincode: "400018" }),
  },
  "a company in a zone": { country: "IN", supply: "SEZWOP", account: company("29AAGCS5678Q1Z7") },
  "a company abroad": { country: "US", supply: "EXPWOP", account: {} },
} as const;
const kinds = [
  "consumer",
  "a company in the same state",
  "a company in another state",
  "a company in a zone",
  "a company abroad",
] as const;

/** Defines the tests. @param lives number of lives, divided evenly between the kinds of buyers */
export function proveLives(lives: number): void {
  beforeAll(async () => {
    for (const market of listVendorMarkets(context))
      if ((await fetchPriceSheet(context, market)) === null) await fetchMarket(context, market);
  });
  afterAll(() => controls.clock(0));

  describe.each(Array.from({ length: lives }, (_, index) => index + 1))("life %i:", (seed) => {
    const random = seededRandom(seed);
    const pick = <Each>(all: readonly Each[]): Each => {
      const found = all[random(0, all.length)];
      if (found === undefined) throw new Error("Expected at least one value");
      return found;
    };
    // Divides the lives evenly between the kinds.
    const kind = kinds[seed % kinds.length] ?? "consumer";
    const { country, supply, account } = buyers[kind];
    const way = country === "IN" ? pick(ways) : "card";
    const quantity = random(2, 9);
    const steps = Array.from({ length: random(1, 5) }, () => pick(acts));
    const isCancelled = random(0, 2) === 0;
    const isRenewed = random(0, 3) === 0;
    const family = country === "IN" && random(0, 5) === 0 ? "google" : "microsoft";
    const end = `${isRenewed ? ", renewed" : ""}${isCancelled ? ", cancelled" : ""}`;

    test(`balances ${kind}, ${quantity} of ${family} by ${way}, ${steps.join(", ")}${end}`, async () => {
      const credits: Record<(typeof ways)[number], ((total: number) => number[]) | undefined> = {
        card: undefined,
        "two transfers": (total) => {
          const first = random(100, total - 100);
          return [first, total - first];
        },
        "too much": (total) => [total + random(100, 90_000)],
        // A tenth of the value before 18% tax, if any, in whole rupees.
        "short by TDS": (total) => [
          total - Math.round(total / (supply === "B2C" || supply === "B2B" ? 1.18 : 1) / 1_000) * 100,
        ],
      };
      const transferred = credits[way];
      const bought = await buySubscription(store, {
        quantity,
        country,
        family,
        account,
        ...(transferred !== undefined && { credits: transferred }),
      });
      expect(await supplyOf(bought)).toBe(supply);
      for (const step of steps) {
        if (step === "more") await buyMore(store, bought, random(1, 6));
        else if (step === "reduce") await reduce(bought, random(1, 8));
        else if (step === "days pass") await ageSubscription(store, bought, random(1, 4));
        else
          await refund(bought, {
            share: random(1, 101),
            isFailing: step === "failed refund",
            which: random(0, 9),
          });
        await expectBooks(bought);
      }
      if (isRenewed) {
        await ageSubscription(store, bought, 340);
        // Google renews all licences.
        const wanted = random(1, 9);
        await renew(store, bought, family === "google" ? await licencesOf(bought) : wanted);
        await expectBooks(bought);
      }
      if (isCancelled && (await cancelPage(bought, "?give=all")).status === 200)
        await cancelAndWait(store, bought, "all");
      if (way === "short by TDS") await bringCertificate(bought);
      await expectBooks(bought);
    });
  });

  test("finds no differences except credit notes of failed refunds", async () => {
    // Calls to vendors and the portal that are still queued.
    await until("nothing is due", async () =>
      (await queuedJobs(db)).every(({ dueAt }) => dueAt.getTime() > Date.now()),
    );
    await stack.killWorker();
    await controls.clock(aheadMs);
    await reconcile(context, new Date(Date.now() + aheadMs));
    const found = await listOpenDiscrepancies(db);
    const failed = await db.selectFrom("refunds").select("id").where("status", "=", "failed").execute();
    const vain = found.filter(({ kind }) => kind === "credited-not-refunded");
    expect(vain.length).toBeLessThanOrEqual(failed.length);
    expect(found.filter(({ kind }) => kind !== "credited-not-refunded")).toEqual([]);
    const { rows } = await context.pool.query("select count(*)::int as count from settlement_lines");
    expect(rows[0].count).toBeGreaterThan(lives);
    // Each purchase, addition, renewal and reduction has a line on a bill; converted trials and traces of usage cost
    // nothing.
    const billed = await db
      .selectFrom("vendor_bill_lines")
      .select(["family", "kind", "subscription_id"])
      .where("amount_minor", "<>", 0)
      .execute();
    expect(billed.filter(({ subscription_id: known }) => known === null)).toEqual([]);
    const on = (family: string, kind: string) =>
      billed.filter((line) => line.family === family && line.kind === kind).length;
    expect(on("microsoft", "term")).toBeGreaterThan(lives / 2);
    for (const kind of ["seats", "credit"]) expect(on("microsoft", kind)).toBeGreaterThan(lives / 12);
    expect(on("google", "term")).toBeGreaterThan(lives / 30);
    // Few lives are Google's, and fewer of those keep added licences.
    expect(on("google", "seats")).toBeGreaterThan(0);
    const renewals = await db.selectFrom("orders").select("id").where("kind", "=", "RENEW").execute();
    expect(renewals.length).toBeGreaterThan(lives / 12);
  });

  describe("a vendor's bill that differs", () => {
    const month = utcMonth(new Date());
    const day = `${month}-01`;
    const files: string[] = [];
    afterAll(() => Promise.all(files.map((file) => rm(file))));

    /** Imports a downloaded bill as the operator does. @returns the command's output */
    async function imported(family: string, text: string): Promise<string> {
      const file = path.join(tmpdir(), `bill-${process.pid}-${files.length}`);
      files.push(file);
      await writeFile(file, text);
      const country = ["--country", "IN"];
      const { said } = await runCommand(stack, "reconcile", "--import", file, "--family", family, ...country);
      return said;
    }
    const vendorsSay = async () =>
      (await listOpenDiscrepancies(db))
        .filter(({ kind }) => kind.startsWith("vendor-"))
        .map(({ kind, amountMinor, what }) => ({ kind, amountMinor, what }));
    const subscriptionOf = async (family: "microsoft" | "google") => {
      const { external_id: id } = await db
        .selectFrom("subscriptions")
        .select("external_id")
        .where("family", "=", family)
        .where("status", "=", "active")
        .orderBy("external_id")
        .limit(1)
        .executeTakeFirstOrThrow();
      return id;
    };

    test("reports licences that Microsoft bills without an order, once, with the amount", async () => {
      const id = await subscriptionOf("microsoft");
      const line = {
        InvoiceNumber: "G0001",
        SubscriptionId: id,
        ChargeType: "addQuantity",
        Quantity: "30",
        UnitPrice: 0,
        Subtotal: "4321.05",
        Currency: "INR",
        ChargeStartDate: `${day}T00:00:00Z`,
        ChargeEndDate: `${day}T00:00:00Z`,
      };
      const bill = JSON.stringify(line);
      expect(await imported("microsoft", bill)).toContain("1 new lines of bills");
      expect(await imported("microsoft", bill)).toContain("0 new lines of bills");
      expect(await vendorsSay()).toEqual([
        {
          kind: "vendor-unpaid",
          amountMinor: 432_105,
          what: expect.stringContaining(`30 licenses of ${id}`),
        },
      ]);
    });

    test("reports a credit from Google in addition", async () => {
      const id = await subscriptionOf("google");
      const report = [
        "invoice_number,entitlement,charge_type,quantity,unit_price,cost,currency,charge_start_date,charge_end_date",
        `GW1,${id}/none,SEATS_ADDED,1,0,-500.25,INR,${day},${day}`,
      ].join("\r\n");
      expect(await imported("google", report)).toContain("1 new lines of bills");
      expect(await imported("google", report)).toContain("0 new lines of bills");
      expect((await vendorsSay()).toSorted((one, other) => one.amountMinor - other.amountMinor)).toEqual([
        { kind: "vendor-credit", amountMinor: 50_025, what: expect.stringContaining("Google") },
        { kind: "vendor-unpaid", amountMinor: 432_105, what: expect.stringContaining("Microsoft") },
      ]);
    });
  });
}

async function licencesOf({ id }: BoughtSubscription): Promise<number> {
  const { quantity } = await db
    .selectFrom("subscriptions")
    .select("quantity")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return quantity;
}

/** Returns the kind of supply on the subscription's invoice. */
async function supplyOf({ orderId }: BoughtSubscription): Promise<string> {
  const { rows } = await context.pool.query(
    "select facts->'supply'->>'type' as type from invoices where order_id = $1",
    [orderId],
  );
  return rows[0]?.type;
}

/** Records a certificate for the whole TDS of the first payment; without it, the end of the quarter would be a difference. */
async function bringCertificate({ id, orderId }: BoughtSubscription): Promise<void> {
  const withheld = (await booksOf(id)).reduce((sum, each) => sum + each.withheld, 0);
  const booked = await runCommand(
    stack,
    "order",
    "certificate",
    orderId,
    "--number",
    "TEST-1",
    "--date",
    dateView(new Date(), "IN").iso,
    "--amount",
    (withheld / 100).toFixed(2),
  );
  expect(booked.said).toContain("Nothing more outstanding");
}

async function reduce(bought: BoughtSubscription, seats: number): Promise<void> {
  if ((await cancelPage(bought, `?give=${seats}`)).status === 200)
    await cancelAndWait(store, bought, String(seats));
}

/** Refunds a percentage of a payment's remainder, as the operator does. */
async function refund(
  { id }: BoughtSubscription,
  { share, isFailing, which }: { share: number; isFailing: boolean; which: number },
): Promise<void> {
  const payments = (await booksOf(id)).flatMap((each) => each.payments).filter(({ left }) => left > 0);
  const payment = payments[which % Math.max(1, payments.length)];
  if (payment === undefined) return;
  // The provider refunds at least one rupee.
  const minor = Math.min(payment.left, Math.max(100, Math.floor((payment.left * share) / 100)));
  if (minor < 100) return;
  if (isFailing) await controls.refunds({ answer: "pending" });
  const amount = (minor / 100).toFixed(2);
  const result = await runCommand(
    stack,
    "refund",
    payment.id,
    "--amount",
    amount,
    "--reason",
    "A test.",
    "--again",
    "--yes",
  );
  expect(result.said).toContain("is being refunded");
  const refundId = parseId(/refund ([0-9a-f-]{36})/.exec(result.said)?.[1] ?? null);
  const read = async () =>
    (await context.pool.query("select status, provider_refund_id from refunds where id = $1", [refundId]))
      .rows[0];
  await until("the provider was called", async () => (await read()).status !== "requested");
  if (!isFailing) return;
  await controls.refunds({});
  // A note that is unregistered when its refund fails is void; a registered one remains valid.
  await until("its credit note is registered", async () => (await unregistered(id)) === 0);
  await controls.refund({ refundId: (await read()).provider_refund_id, status: "failed" });
  await until("it has failed", async () => (await read()).status === "failed");
}

/** Returns the number of a subscription's documents that the portal has not registered yet. */
async function unregistered(id: BoughtSubscription["id"]): Promise<number> {
  const { rows } = await context.pool.query(
    `select count(*)::int as count from e_invoices e
     where e.state = 'pending' and e.number in (
       select i.number from invoices i join orders o on o.id = i.order_id where o.subscription_id = $1
       union select c.number from credit_notes c join orders o on o.id = c.order_id where o.subscription_id = $1)`,
    [id],
  );
  return rows[0].count;
}

interface Books {
  invoiced: number;
  /** Sum of valid credit notes, including registered ones whose refund failed. */
  credited: number;
  /** Excludes refunds of the surplus. */
  refunded: number;
  withheld: number;
  surplus: number;
  surplusReturned: number;
  /** Number of registered credit notes whose refund failed. */
  standing: number;
  payments: { id: string; amount: number; refunded: number; left: number }[];
}

const amount = z.coerce.number();
const bookSchema = z.object({
  id: z.string(),
  invoiced: amount,
  credited: amount,
  refunded: amount,
  withheld: amount,
  surplus: amount,
  surplusReturned: amount,
  standing: amount,
});
const paymentSchema = z.object({ id: z.string(), amount, refunded: amount });

/** Returns the sums of each order of a subscription from its rows. */
async function booksOf(subscriptionId: BoughtSubscription["id"]): Promise<Books[]> {
  const { rows } = await context.pool.query(
    `select o.id, (i.facts->>'totalMinor')::bigint as invoiced,
       (select coalesce(sum(c.total_minor), 0) from credit_notes c
         where c.order_id = o.id and (c.refund_id not in (select id from refunds where status = 'failed')
           or c.number in (select number from e_invoices where state = 'final'))) as credited,
       (select count(*) from credit_notes c join refunds r on r.id = c.refund_id and r.status = 'failed'
         join e_invoices e on e.number = c.number and e.state = 'final' where c.order_id = o.id) as standing,
       (select coalesce(sum(amount_minor - surplus_minor), 0) from refunds
         where order_id = o.id and status <> 'failed') as refunded,
       (select coalesce(sum(surplus_minor), 0) from refunds
         where order_id = o.id and status <> 'failed') as "surplusReturned",
       (select coalesce(sum(withheld_minor), 0) from proformas where order_id = o.id) as withheld,
       (select coalesce(sum(surplus_minor), 0) from proformas where order_id = o.id) as surplus
     from orders o join invoices i on i.order_id = o.id
     where o.subscription_id = $1`,
    [subscriptionId],
  );
  const books: Books[] = [];
  for (const { id, ...book } of z.array(bookSchema).parse(rows)) {
    const paid = await context.pool.query(
      `select p.provider_payment_id as id, p.amount_minor as amount,
         (select coalesce(sum(amount_minor), 0) from refunds r
           where r.provider_payment_id = p.provider_payment_id and r.status <> 'failed') as refunded
       from payments p where p.order_id = $1 and p.status in ('captured', 'part') order by p.created_at`,
      [id],
    );
    const payments = z.array(paymentSchema).parse(paid.rows);
    books.push({
      ...book,
      payments: payments.map((each) => ({ ...each, left: each.amount - each.refunded })),
    });
  }
  return books;
}

const account = z.object({
  razorpay: z.object({
    payments: z.array(z.object({ id: z.string(), amount: z.number(), amount_refunded: z.number() })),
  }),
});

async function expectBooks({ id }: BoughtSubscription): Promise<void> {
  await until("every refund is requested", async () => {
    const { rows } = await context.pool.query(
      "select 1 from refunds r join orders o on o.id = r.order_id where o.subscription_id = $1 and r.status = 'requested'",
      [id],
    );
    return rows.length === 0;
  });
  const state = account.parse(await (await fetch(`${stack.sandboxUrl}/control/state`)).json());
  const theirs = new Map(state.razorpay.payments.map((each) => [each.id, each]));
  for (const { invoiced, credited, withheld, surplus, payments, ...went } of await booksOf(id)) {
    const received = payments.reduce((sum, each) => sum + each.amount, 0);
    const refunded = payments.reduce((sum, each) => sum + each.refunded, 0);
    expect(received).toBe(invoiced - withheld + surplus);
    expect(refunded).toBe(went.refunded + went.surplusReturned);
    const surplusLeft = surplus - went.surplusReturned;
    expect(surplusLeft).toBeGreaterThanOrEqual(0);
    // A registered credit note of a failed refund exceeds the refunded money until another refund uses it.
    const ahead = credited - went.refunded;
    expect(ahead).toBeGreaterThanOrEqual(0);
    if (went.standing === 0) expect(ahead).toBe(0);
    // Retained money equals the documents' balance, except for a surplus, which no document contains.
    expect(received - refunded + withheld - surplusLeft - ahead).toBe(invoiced - credited);
    expect(credited).toBeLessThanOrEqual(invoiced);
    for (const payment of payments) {
      expect(payment.left).toBeGreaterThanOrEqual(0);
      expect(theirs.get(payment.id)).toMatchObject({
        amount: payment.amount,
        amount_refunded: payment.refunded,
      });
    }
  }
}

const aheadMs = 60 * dayMs;
