/**
 * Line breaks and invisible characters in a one-line text break headers, calendars and files, and hide a company from searches
 * by name.
 */
import { describe, expect, test } from "vitest";
import { findOrder } from "#server/orders/find.ts";
import { makeFeed } from "#server/orders/renewal-feed.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

/** Posts Create Account with this company name. @returns the response and the stored name */
async function named(companyName: string) {
  const buyer = new HttpBrowser(stack.url);
  const { id, path } = await beginOrder(buyer);
  await buyer.post(`${path}/subscription-details`, { term: "P1Y", quantity: "1" });
  const answer = await buyer.post(`${path}/create-account`, { ...accountForm(freshEmail()), companyName });
  return { answer, name: (await findOrder(db, id))?.account?.companyName ?? null };
}

describe("a company's name", () => {
  test.each([
    "Sahyadri\tTraders\r\n",
    "Sahyadri\u000bTraders",
    "Sahyadri\u200bTraders",
    "Sahyadri\r\nBcc: x\r\n\r\nBEGIN:VEVENT",
    // Beyond the usual list of attacks: a line separator, a Hangul filler and an Arabic letter mark.
    "Sahyadri\u2028Traders",
    "\u3164Sahyadri\u3164Traders",
    "Sahyadri\u061c\u00ad Traders\ufeff",
  ])("stores on one line: %j", async (given) => {
    const { name } = await named(given);
    expect(name).toBe(given.includes("Bcc") ? "Sahyadri Bcc: x BEGIN:VEVENT" : "Sahyadri Traders");
  });

  test("keeps the joiners of its script", async () => {
    expect((await named("क्\u200dष ट्रेडर्स")).name).toBe("क्\u200dष ट्रेडर्स");
  });

  test.each(["Sahyadri\u0007Traders", "Sahyadri\u001b[31m", "Sahyadri\u0090"])(
    "refuses with a message at the field: %j",
    async (given) => {
      const { answer, name } = await named(given);
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(
        /This text has characters we can('|&#x27;)t save\. Remove them and try again\./,
      );
      expect(name).toBeNull();
    },
  );
});

test("keeps a multi-line name from the database on one line of the calendar", async () => {
  const company = await makeCustomer(db);
  const name = "Evil, Ltd\r\nBcc: x\r\n\r\nBEGIN:VEVENT";
  await db.updateTable("customers").set({ name }).where("id", "=", company.customerId).execute();
  const token = await db.transaction().execute((trx) =>
    makeFeed(trx, {
      customerId: company.customerId,
      by: company.owner.userId,
      withAmounts: false,
      language: "en",
      now: new Date(),
    }),
  );
  const { text } = await new HttpBrowser(stack.url).get(`/calendar/${token}.ics`);
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  expect(lines.filter((line) => /^(?:Bcc|BEGIN:VEVENT|$)/.test(line))).toEqual([]);
  expect(
    lines.filter((line) => /^(?:NAME|X-WR-CALNAME):.*Evil\\, Ltd Bcc: x BEGIN:VEVENT/.test(line)),
  ).toHaveLength(2);
});
