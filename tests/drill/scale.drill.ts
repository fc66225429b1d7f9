/**
 * The store with 100,000 orders: for every page, step, call and job, each statement that PostgreSQL executes reads little more
 * than it returns; and a job with the same work reads no more than with a thousand orders. Checks the plans as executed,
 * including those of triggers and foreign keys. tests/integration/desk/scale.long.test.ts covers Desk's pages.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { findInDocuments, findInPayouts, findUncertified } from "#server/billing/reconciliation/money.ts";
import { findInBills } from "#server/billing/reconciliation/vendors.ts";
import * as paths from "#server/foundation/paths.ts";
import type { Context } from "#server/platform/context.ts";
import { makePlaces } from "#tests/bench/places.ts";
import { fillStore } from "#tests/bench/scale/fill.ts";
import { dueOfEach, jobs, makeDue, putOff, rowsOf } from "#tests/bench/scale/jobs.ts";
import { findLargest } from "#tests/bench/scale/largest.ts";
import { findStoreAddresses } from "#tests/bench/scale/store-urls.ts";
import { buySubscription } from "#tests/support/bought-subscription.ts";
import { beginChange } from "#tests/support/changes.ts";
import { copyDatabase, type DatabaseCopy } from "#tests/support/copy-database.ts";
// For the type of the value from the global set-up.
import type {} from "#tests/support/database-server.ts";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { HttpBrowser, trustHttpBrowser } from "#tests/support/http-browser.ts";
import { freshEmail, plan, signUpForm, toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { type PlanRead, type PlanTap, tapPlans } from "#tests/support/plan-tap.ts";
import { providerState } from "#tests/support/provider-state.ts";
import { postponeJobs } from "#tests/support/queue.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { contextForStack } from "#tests/support/world.ts";

const orders = 100_000;
const fewOrders = 1_000;
/** Rows that any statement may read, in addition to fifty for each returned row, which cover joins and counts. */
const anyway = 1_000;
const forEach = 50;
/** Reading a row through an index takes some pages. */
const pagesOfRow = 2;
/** Maximum ratio of a job's rows in the large store to those in the small one. */
const mostOfSmall = 1.3;
/** Rows in addition to that: with next to nothing to read, PostgreSQL chooses another plan. */
const anotherPlan = 10;

/** Statements that may read more, each for a reason that holds for any number of orders. */
const excepted: readonly { statement: RegExp; because: string }[] = [
  {
    statement: /from (payments|refunds|invoices) [\s\S]*(not exists|is null or)/,
    because: "Every night the books are compared whole: what is in none of them is found in no index.",
  },
  {
    statement:
      /lower\(orders\.id::text\) like [\s\S]*exists \(select from invoices where order_id = orders\.id/,
    because: "A company's search reads each of the company's orders, and whether its invoice was replaced.",
  },
  {
    statement: /select asked\.place, found\.cost_minor/,
    because: "What vendors charge is as long as the catalogue.",
  },
];

afterAll(() =>
  reportDrillResult("scale", { orders, "statements that may read more": excepted.length }, null),
);

const template = inject("databaseTemplate");
const isServer = template.kind === "server";

// The embedded database has no auto_explain.
describe.skipIf(!isServer)("with 100,000 orders, in a PostgreSQL of TEST_DATABASE_URL", () => {
  let stack: Stack;
  /** A context that bypasses the tap. */
  let context: Context;
  let tap: PlanTap;
  let places: Awaited<ReturnType<typeof makePlaces>>;
  const used = new Set<RegExp>();

  beforeAll(async () => {
    stack = await startStack({ template, env: trustHttpBrowser, worker: false });
    context = contextForStack(stack.env);
    places = await makePlaces(stack, context);
    await fillStore(context.db, { orders, isTrusted: true });
    // Queued jobs must not run during the test.
    await postponeJobs(context.db);
    await stack.killWeb();
    tap = await tapPlans(stack.databaseUrl);
    stack.env.DATABASE_URL = tap.url;
    await stack.startWeb();
  }, 1_200_000);

  afterAll(async () => {
    await context.db.destroy();
    await tap.stop();
    await stack.stop();
  });

  /** @returns a sentence for each statement that read too much */
  function tooMuch(what: string, plans: readonly PlanRead[]): string[] {
    const over = new Map<string, string>();
    for (const { sql: statement, given, read, pages, most } of plans) {
      const limit = anyway + forEach * Math.max(1, given);
      if (read <= limit && pages <= limit * pagesOfRow) continue;
      const exception = excepted.find((each) => each.statement.test(statement));
      if (exception !== undefined) used.add(exception.statement);
      else
        over.set(
          statement,
          `${what} reads ${read} rows on ${pages} pages for ${given} (${most}): ${short({ sql: statement })}`,
        );
    }
    return [...over.values()];
  }

  test("reads for a page, list, document or call only what it needs", async () => {
    const addresses = await findStoreAddresses(context, stack.url, places);
    const pages = addresses.map(({ page }) => page);
    expect(pages).toContain("/myorders of the largest");
    expect(addresses.filter(({ path }) => path.startsWith("/subscriptions?page="))).toHaveLength(2);
    const over: string[] = [];
    let statements = 0;
    for (const { page, path, browser } of addresses) {
      tap.take();
      const { status } = await browser.get(path);
      const plans = tap.take();
      if (status >= 500) throw new Error(`${path} answers with ${status}`);
      statements += plans.length;
      over.push(...tooMuch(`${page} (${path})`, plans));
    }
    expect(statements).toBeGreaterThan(addresses.length);
    expect(over).toEqual([]);
  }, 300_000);

  test("reads for a posted step, a purchase and its fulfilment only what they need", async () => {
    const over: string[] = [];
    const step = async (what: string, act: () => Promise<unknown>) => {
      tap.take();
      await act();
      const plans = tap.take();
      expect(plans.length, what).toBeGreaterThan(0);
      over.push(...tooMuch(what, plans));
    };
    const largest = await findLargest(context.db);
    const owner = await signedIn(context, stack.url, largest);
    const stranger = new HttpBrowser(stack.url);
    await step("a purchase as far as its payment", () => toCheckout(stack.url));
    await step("a further subscription", () =>
      owner.post(paths.newContract(plan), { term: "P1Y", quantity: "1", destination: largest.tenantId }),
    );
    await step("an add-on", () =>
      owner.post(paths.newAddOn(), { term: "P1Y", quantity: "1", destination: largest.subscriptionId }),
    );
    await step("more seats", () => beginChange(owner, "more", largest.subscriptionId, 1));
    await step("a sign-up", () => stranger.post(paths.signup(), signUpForm(freshEmail())));
    await step("a login", () =>
      stranger.post(paths.login(), { email: largest.email, password: "not this one" }),
    );
    await step("a forgotten password", () => stranger.post(paths.forgotPassword(), { email: largest.email }));
    await stack.startWorker();
    const controls = sandboxControls(stack.sandboxUrl);
    const provider = providerState(stack.sandboxUrl);
    for (const family of ["microsoft", "google"] as const)
      await step(`a purchase at ${family} to its end`, () =>
        buySubscription({ stack, context, controls, provider }, { family }),
      );
    await stack.stopWorker();
    expect(over).toEqual([]);
  }, 300_000);

  describe("a cron job", () => {
    let few: DatabaseCopy;
    let fewTap: PlanTap;
    let fewContext: Context;
    let manyContext: Context;

    beforeAll(async () => {
      few = await copyDatabase(template);
      const beside = contextForStack({ ...stack.env, DATABASE_URL: few.url });
      await loadDemoData(beside.db);
      await fillStore(beside.db, { orders: fewOrders });
      await beside.db.destroy();
      fewTap = await tapPlans(few.url);
      fewContext = contextForStack({ ...stack.env, DATABASE_URL: fewTap.url });
      manyContext = contextForStack(stack.env);
    }, 300_000);

    afterAll(async () => {
      await fewContext.db.destroy();
      await manyContext.db.destroy();
      await fewTap.stop();
      await few.destroy();
    });

    test("reads what is due, no more than with a thousand orders", async () => {
      const over: string[] = [];
      for (const [name, run] of Object.entries(jobs)) {
        await run(fewContext);
        tap.take();
        await run(manyContext);
        over.push(...tooMuch(name, tap.take()));
      }
      expect(over).toEqual([]);
      for (const { db } of [fewContext, manyContext]) {
        await putOff(db);
        await makeDue(db);
      }
      const idle: string[] = [];
      for (const [name, run] of Object.entries(jobs)) {
        const plansOf = async (looked: Context, by: PlanTap) => {
          by.take();
          await run(looked);
          return by.take();
        };
        const [small, big] = [await plansOf(fewContext, fewTap), await plansOf(manyContext, tap)];
        if (rowsOf(big) < dueOfEach && name !== "heartbeat") idle.push(name);
        if (rowsOf(big) <= mostOfSmall * rowsOf(small) + anotherPlan) continue;
        const worst = big.toSorted((a, b) => b.touched - a.touched).slice(0, 3);
        over.push(
          `${name} reads ${rowsOf(big)} rows, and ${rowsOf(small)} with ${fewOrders} orders: ${worst.map((plan) => `${plan.touched} by ${short(plan)} (${plan.most})`).join("; ")}`,
        );
      }
      expect(over).toEqual([]);
      expect(idle).toEqual([]);
    }, 300_000);

    test("looks up each row once when it compares the books", async () => {
      const now = new Date();
      tap.take();
      await findInPayouts(manyContext, now);
      await findInDocuments(manyContext);
      await findUncertified(manyContext, now);
      await findInBills(manyContext);
      expect(tooMuch("the books", tap.take())).toEqual([]);
    }, 300_000);
  });

  test("needs every exception", () => {
    expect(excepted.map(({ statement }) => statement).filter((statement) => !used.has(statement))).toEqual(
      [],
    );
  });
});

const short = ({ sql: text }: Pick<PlanRead, "sql">) => text.replaceAll(/\s+/g, " ").slice(0, 600);
