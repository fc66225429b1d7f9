/** The sandbox's price sheets: only with a user's token for them, and with the peculiarities of Microsoft's. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { askToken, bearer, consented, start } from "./support.ts";

let running: RunningSandbox;
let authorization: string;
beforeAll(async () => {
  running = await start();
  const { refresh_token } = await consented(running.url);
  authorization = await tokenFor({ grant_type: "refresh_token", refresh_token });
});
afterAll(() => running.stop());

async function tokenFor(grant: Record<string, string>): Promise<string> {
  const resource = "https://api.partner.microsoft.com";
  return `Bearer ${(await (await askToken(running.url, { ...grant, resource })).json()).access_token}`;
}

function ask(query = "timeline=current", { view = "updatedlicensebased", token = authorization } = {}) {
  const sheet = `pricesheets(Market='IN',PricesheetView='${view}')/$value?${query}`;
  return fetch(`${running.url}/partner-prices/v1.0/sales/${sheet}`, { headers: { authorization: token } });
}

const cells = (row: string) => row.slice(1, -1).split('","');

test("the application alone is refused, and so is a token for another audience", async () => {
  expect((await ask("", { token: await tokenFor({ grant_type: "client_credentials" }) })).status).toBe(401);
  expect((await ask("", { token: await bearer(running.url) })).status).toBe(401);
  expect((await ask("", { token: "" })).status).toBe(401);
  expect((await ask()).status).toBe(200);
});

test("returns 404 for a future without changes; history needs a month", async () => {
  expect((await ask("timeline=future")).status).toBe(404);
  expect((await ask("timeline=current", { view: "software" })).status).toBe(404);
  expect((await ask("timeline=history")).status).toBe(400);
  expect((await ask("timeline=history&month=202601")).status).toBe(200);
});

test("adds to each price an earlier one whose dates overlap it, and two other rows", async () => {
  const answer = await ask();
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  const [header = "", ...rows] = (await answer.text()).trim().split("\r\n");
  expect(header.endsWith('"ERP Price“')).toBe(true);
  const names = header.replace("“", '"').slice(1, -1).split('","');
  const read = (row: string) =>
    Object.fromEntries(cells(row).map((cell, place) => [names[place] ?? "", cell]));
  const basic = rows
    .map(read)
    .filter(
      ({ ProductId, SkuId, TermDuration, BillingPlan }) =>
        [ProductId, SkuId, TermDuration, BillingPlan].join() === "CFQ7TTC0LH18,0001,P1Y,Annual",
    );
  expect(basic.map(({ Segment }) => Segment)).toEqual([
    "Commercial",
    "Commercial",
    "Education",
    "Commercial",
  ]);
  const [now, before, school, removed] = basic;
  expect(removed?.ChangeIndicator).toBe("Removed");
  const time = (text = "") => Date.parse(text);
  expect(time(before?.EffectiveStartDate)).toBeLessThan(time(now?.EffectiveStartDate));
  expect(time(before?.EffectiveEndDate)).toBeGreaterThan(time(now?.EffectiveStartDate));
  expect(Number(school?.UnitPrice)).toBeLessThan(Number(now?.UnitPrice));
});

test("lists extended terms in a separate sheet, 3% above a month", async () => {
  const monthOf = async (view: string, title: RegExp) => {
    const rows = (await (await ask("timeline=current", { view })).text()).split("\r\n").map(cells);
    const row = rows.find(
      ([, , product, , sku = "", , , , , plan]) =>
        product === "CFQ7TTC0LH18" && plan === "Monthly" && title.test(sku),
    );
    return Number(row?.[12]);
  };
  const rows = (await (await ask()).text()).split("\r\n").map(cells);
  const yearly = rows.find(
    ([, , product, , , , , , term, plan]) => [product, term, plan].join() === "CFQ7TTC0LH18,P1Y,Monthly",
  );
  expect(await monthOf("licensebasedest", /Extended Service Term/)).toBeCloseTo(
    Number(yearly?.[12]) * 1.03,
    1,
  );
});
