/** Bills of the sandbox's vendors and payouts of its Razorpay: when they exist, who can read them, and with which requests. */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { googleAt, googleBearer, scopes } from "./google-support.ts";
import { partnerCenterAt } from "./partner-center-support.ts";
import { askToken, basic, basicOf, bearer, otherKeys, partners, post, start } from "./support.ts";

const dayMs = 86_400_000;
let running: RunningSandbox;
let authorization: string;
beforeAll(async () => {
  running = await start();
  authorization = await bearer(running.url);
});
afterAll(() => running.stop());
const partnerCenter = partnerCenterAt(() => ({ url: running.url, authorization }));

const setClock = (days: number) => post(`${running.url}/control/clock`, { offsetMs: days * dayMs });

describe("payouts", () => {
  const newPayment = async (currency: string, key: string) => {
    const made = await post(
      `${running.url}/razorpay/v1/orders`,
      { amount: 100_000, currency, receipt: crypto.randomUUID() },
      { authorization: key },
    );
    const order = await made.json();
    return running.pay(order.id, { status: "captured", webhook: false });
  };
  const settled = async (at: Date, query = "", key = basic) => {
    const day = `year=${at.getUTCFullYear()}&month=${at.getUTCMonth() + 1}&day=${at.getUTCDate()}`;
    const path = `/razorpay/v1/settlements/recon/combined?${day}${query}`;
    const answer = await fetch(`${running.url}${path}`, { headers: { authorization: key } });
    return { status: answer.status, body: await answer.json() };
  };
  const search = async (paymentId: string, key = basic) => {
    for (let days = 0; days < 20; days += 1) {
      const { body } = await settled(new Date(Date.now() + days * dayMs), "&count=1000", key);
      const found = body.items.find((item: { entity_id: string }) => item.entity_id === paymentId);
      if (found !== undefined) return { days, found };
    }
    return undefined;
  };

  test("come some working days after the payment, less the fee, and to its own account alone", async () => {
    const inRupees = (await newPayment("INR", basic))?.paymentId ?? "";
    const inDollars = (await newPayment("USD", basicOf(otherKeys)))?.paymentId ?? "";
    expect(await search(inRupees)).toBeUndefined();
    await setClock(20);
    const domestic = await search(inRupees);
    const international = await search(inDollars, basicOf(otherKeys));
    await setClock(0);
    expect(domestic?.days).toBeGreaterThanOrEqual(2);
    expect(international?.days).toBeGreaterThan(domestic?.days ?? 0);
    expect(domestic?.found).toMatchObject({
      amount: 100_000,
      fee: 2_360,
      tax: 360,
      credit: 97_640,
      debit: 0,
    });
    await setClock(20);
    expect(await search(inDollars)).toBeUndefined();
    await setClock(0);
  });

  test("are listed by 1,000 at most", async () => {
    expect((await settled(new Date(), "&count=1001")).status).toBe(400);
    expect((await settled(new Date(), "", "Basic nobody")).status).toBe(401);
    expect(await settled(new Date(), "&count=1000")).toMatchObject({ status: 200, body: { count: 0 } });
  });
});

describe("Microsoft's bills", () => {
  const graph = (path: string) => `${running.url}/microsoft-graph/v1.0/reports/partners/billing${path}`;
  const graphToken = async (partner = partners[0] as (typeof partners)[number]) => {
    const grant = { grant_type: "client_credentials", resource: "https://graph.microsoft.com" };
    return `Bearer ${(await (await askToken(running.url, grant, partner)).json()).access_token}`;
  };
  const exportOf = async (invoiceId: string, token: string) =>
    post(graph("/reconciliation/billed/export"), { invoiceId }, { authorization: token });

  test("are there when their month is over, and their lines are files that a manifest opens", async () => {
    const subscription = await partnerCenter.bought(await partnerCenter.customerWithAgreement());
    expect(await (await partnerCenter.get("/invoices")).json()).toMatchObject({ totalCount: 0 });
    await setClock(40);
    authorization = await bearer(running.url);
    const { items } = await (await partnerCenter.get("/invoices")).json();
    expect(items).toHaveLength(1);
    const token = await graphToken();
    const begun = await exportOf(items[0].id, token);
    expect(begun.status).toBe(202);
    const read = async (address: string) =>
      (await fetch(address, { headers: { authorization: token } })).json();
    const operation = await read(begun.headers.get("location") ?? "");
    expect(operation).toMatchObject({ status: "succeeded" });
    const manifest = await read(operation["resourceLocation@odata.navigationLink"]);
    const file = `${manifest.rootDirectory}/${manifest.blobs[0].name}`;
    expect((await fetch(file)).status).toBe(403);
    const bytes = Buffer.from(await (await fetch(`${file}?${manifest.sasToken}`)).arrayBuffer());
    const lines = gunzipSync(bytes).toString().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { SubscriptionId: subscription, ChargeType: "new", Currency: "INR" },
      { ChargeType: "convert", Subtotal: "0" },
      { ChargeType: "cycleFee", Subtotal: "0", BillableQuantity: "0.000416", ChargeEndDate: "" },
    ]);

    const elsewhere = await graphToken(partners[1]);
    expect((await exportOf(items[0].id, elsewhere)).status).toBe(400);
    const foreign = await fetch(begun.headers.get("location") ?? "", {
      headers: { authorization: elsewhere },
    });
    expect(foreign.status).toBe(404);
  });

  test("have lines for tokens for Graph alone", async () => {
    expect((await exportOf("G1", await bearer(running.url))).status).toBe(401);
    expect((await exportOf("G1", "")).status).toBe(401);
    expect((await exportOf("G1", await graphToken())).status).toBe(400);
  });
});

test("Google's report takes a token of its own scope, and runs under its own name alone", async () => {
  const ofOrders = googleAt(running.url, await googleBearer(running.url, { scope: scopes.channel }));
  expect(await ofOrders.get("accounts/C1/reports")).toMatchObject({ status: 403 });
  const scope = "https://www.googleapis.com/auth/apps.reports.usage.readonly";
  const reports = googleAt(running.url, await googleBearer(running.url, { scope }));
  const { body } = await reports.get("accounts/C1/reports");
  const range = {
    dateRange: {
      invoiceStartDate: { year: 2026, month: 11, day: 1 },
      invoiceEndDate: { year: 2026, month: 12, day: 1 },
    },
  };
  expect(await reports.post("accounts/C1/reports/other:run", range)).toMatchObject({ status: 404 });
  expect(await reports.post(`${body.reports[0].name}:run`)).toMatchObject({ status: 400 });
  const begun = await reports.post(`${body.reports[0].name}:run`, range);
  expect(begun).toMatchObject({ status: 200 });
  const job = (await ofOrders.ended(begun)).response.reportJob.name;
  const results = await reports.post(`${job}:fetchReportResults`);
  expect(results.body.reportMetadata.report.columns).toHaveLength(9);
});
