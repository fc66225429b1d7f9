/**
 * Renewal choices, through a mailed link without login and signed in. A choice is stored with its user and time, shown, and
 * preset at the renewal. It changes nothing else, and opening the link changes nothing.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { CustomerId, SubscriptionId } from "#db/ids.ts";
import { endMailedLinks, mintRenewalToken } from "#server/accounts/one-time-tokens.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { choiceOf } from "#server/orders/renewal-choice.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { join, makeCompany, makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { insertTestSubscription, readSubscription } from "#tests/support/subscriptions.ts";

let owner: Person;
let company: CustomerId;
const { stack, context } = await startStore();
const { db } = context;
beforeEach(async () => {
  owner = await makePerson(db);
  company = await makeCompany(db, owner);
});

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);
const words = (html: string) =>
  mainContentOf(html)
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
const hold = (days: number, changes: Parameters<typeof insertTestSubscription>[2] = {}) =>
  insertTestSubscription(db, company, { start_date: inDays(days - 365), end_date: inDays(days), ...changes });
/** Returns the path of a mailed link for its reader. */
async function linkTo(id: SubscriptionId, reader = owner): Promise<string> {
  const { end_date: end } = await readSubscription(db, id);
  return `/renewal/${await mintRenewalToken(db, { userId: reader.userId, subscriptionId: id, end })}`;
}
const visitor = () => new HttpBrowser(stack.url);
const said = async (id: SubscriptionId) => {
  const choice = await choiceOf(db, id);
  return choice === null ? null : [choice.decision, choice.seats, choice.chosenBy, choice.byLink];
};

describe("through a mailed link, a renewal choice", () => {
  test("shows the price of each option two months ahead and stores only the choice", async () => {
    const id = await hold(58);
    const before = await readSubscription(db, id);
    const path = await linkTo(id);
    const browser = visitor();
    const page = words((await browser.get(path)).text);
    expect(page).toContain("Renewal of Microsoft 365 Business Standard");
    expect(page).toMatch(/12 licenses for acme\.onmicrosoft\.com, until/);
    expect(page).toMatch(/You can renew from .*, at the price on the day you pay\./);
    expect(page).toContain("Keep all 12 licenses ₹1,23,872 for a year, including GST, at today's price.");
    expect(page).toContain("₹8,748 per license, before GST.");
    expect(page).toMatch(/Don't renew ₹0 \. Licenses stop working on /);
    expect(await said(id)).toBeNull();

    expect(await browser.post(path, { intent: "fewer", seats: "8" })).toMatchObject({
      status: 303,
      location: path,
    });
    expect(await said(id)).toEqual(["fewer", 8, owner.userId, true]);
    const after = words((await visitor().get(path)).text);
    expect(after).toMatch(/Renew 8 licenses \(chosen on .* ₹82,581 for a year, including GST/);
    expect(await readSubscription(db, id)).toEqual(before);
    const { rows } = await context.pool.query("select 1 from orders where subscription_id = $1", [id]);
    expect(rows).toEqual([]);
  });

  test("records each change of the choice in the audit log with its user", async () => {
    const id = await hold(58);
    const path = await linkTo(id);
    const browser = visitor();
    await browser.post(path, { intent: "stop" });
    expect(words((await browser.get(path)).text)).toMatch(
      /Don't renew \(chosen on .*\)\. We won't send more reminders\./,
    );
    await browser.post(path, { intent: "undo" });
    expect(await said(id)).toBeNull();
    await browser.post(path, { intent: "keep" });
    expect(await said(id)).toEqual(["keep", null, owner.userId, true]);
    const log = await db
      .selectFrom("audit_log")
      .select(["action", "user_id", "data"])
      .where("subject", "=", `subscription:${id}`)
      .orderBy("id")
      .execute();
    expect(log.map(({ action, user_id }) => [action, user_id])).toEqual(
      ["renewal.choose", "renewal.undo", "renewal.choose"].map((action) => [action, owner.userId]),
    );
    expect(log[0]?.data).toEqual({ decision: "stop", seats: null, byLink: true });
  });

  test.each(["0", "12", "13", "-1", "two", ""])(
    "refuses %j of 12 licences at the field and keeps the typed value",
    async (seats) => {
      const id = await hold(58);
      const path = await linkTo(id);
      const answer = await visitor().post(path, { intent: "fewer", seats });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/id="fewer-seats-error"/);
      if (seats !== "") expect(answer.text).toContain(`value="${seats}"`);
      expect(await said(id)).toBeNull();
    },
  );

  test("offers all or none where the vendor does not renew fewer", async () => {
    const id = await hold(58, {
      item: "google-workspace-business-starter",
      family: "google",
      domain: "acme.example",
    });
    const path = await linkTo(id);
    expect(words((await visitor().get(path)).text)).toContain("Google renews all of your 12 licenses.");
    expect((await visitor().post(path, { intent: "fewer", seats: "8" })).status).toBe(400);
    expect(await said(id)).toBeNull();
  });

  test("leads to the open renewal, which requires a login", async () => {
    const id = await hold(20);
    const browser = visitor();
    const answer = await browser.post(await linkTo(id), { intent: "keep" });
    expect(answer.location).toBe(`/${id}/renew`);
    expect((await browser.get(`/${id}/renew`)).location).toMatch(/^\/login\?next=/);
  });

  test("refuses links that are invalid, outdated, revoked or of ineligible users", async () => {
    const id = await hold(58);
    const [left, viewer, closed] = [await makePerson(db), await makePerson(db), await makePerson(db)];
    const locked = await makePerson(db);
    await join(db, company, locked, "owner");
    await db.updateTable("users").set({ locked_at: new Date() }).where("id", "=", locked.userId).execute();
    await join(db, company, viewer, "viewer");
    await join(db, company, closed, "owner");
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", closed.userId).execute();
    const dead = [
      `/renewal/${newToken()}`,
      "/renewal/short",
      await linkTo(id, left),
      await linkTo(id, viewer),
      await linkTo(id, closed),
      await linkTo(id, locked),
    ];
    const ended = await linkTo(id);
    await db.transaction().execute((trx) => endMailedLinks(trx, owner.userId, new Date()));
    const renewed = await linkTo(id);
    await db
      .updateTable("subscriptions")
      .set({ end_date: inDays(423) })
      .where("id", "=", id)
      .execute();
    for (const path of [...dead, ended, renewed]) {
      const answer = await visitor().get(path);
      expect(answer.status, path).toBe(404);
      expect(words(answer.text)).toContain("This link no longer works");
      expect(answer.text).not.toContain("acme.onmicrosoft.com");
      expect((await visitor().post(path, { intent: "stop" })).status, path).toBe(404);
    }
    expect(await said(id)).toBeNull();
  });
});

describe("in My Subscriptions, a renewal choice", () => {
  test("appears in the list and presets the renewal", async () => {
    const id = await hold(20, { domain: "kept.example" });
    const buyer = await signedIn(context, stack.url, owner);
    const page = `/subscriptions/${id}/renewal`;
    expect((await buyer.get("/subscriptions")).text).toContain(`href="${page}"`);
    expect((await buyer.post(page, { intent: "fewer", seats: "7" })).location).toBe(`/${id}/renew`);
    expect(await said(id)).toEqual(["fewer", 7, owner.userId, false]);
    expect((await buyer.get(`/${id}/renew`)).text).toMatch(
      /name="quantity"[^>]*value="7"|value="7"[^>]*name="quantity"/,
    );
    expect(words((await buyer.get("/subscriptions")).text)).toContain("Renew 7 licenses (chosen on");

    await buyer.post(page, { intent: "stop" });
    const list = words((await buyer.get("/subscriptions")).text);
    expect(list).toContain("Don't renew (chosen on");
    // No reminder to pay and not in the upcoming total.
    expect(list).not.toMatch(/Renew for|Next 12 months/);
  });

  test("opens 60 days ahead, and only for buyers of the company", async () => {
    const [early, soon] = [await hold(61), await hold(58)];
    const buyer = await signedIn(context, stack.url, owner);
    const path = (id: SubscriptionId) => `/subscriptions/${id}/renewal`;
    expect(words((await buyer.get(path(early))).text)).toMatch(
      /You can choose from .*, 60 days before it ends\./,
    );
    expect((await buyer.post(path(early), { intent: "stop" })).status).toBe(409);
    const [viewer, stranger] = [await makePerson(db), await makePerson(db)];
    await join(db, company, viewer, "viewer");
    await makeCompany(db, stranger, "Other Works");
    for (const [person, status] of [
      [viewer, 403],
      [stranger, 404],
    ] as const) {
      const browser = await signedIn(context, stack.url, person);
      expect((await browser.get(path(soon))).status).toBe(status);
      expect((await browser.post(path(soon), { intent: "stop" })).status).toBe(status);
    }
    expect([await said(early), await said(soon)]).toEqual([null, null]);
  });
});

test("expires an unpaid subscription at its end even if the choice was to keep it", async () => {
  const id = await hold(1);
  await visitor().post(await linkTo(id), { intent: "keep" });
  await advanceTerms(context, inDays(2));
  const { status, next_term_start } = await readSubscription(db, id);
  expect({ status, next_term_start }).toEqual({ status: "expired", next_term_start: null });
});
