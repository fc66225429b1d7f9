/**
 * A subscription that ends at midnight in India or a second before: the same date on every page, in the mail, the calendar, the
 * documents and Desk.
 */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { dateView, formatDate, momentOf } from "#server/orders/subscriptions/dates.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { beginChange, payChange } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
const dayMs = 86_400_000;

/** Midnight in India 20 days from now: 18:30:00 UTC on the day before. */
const midnight = new Date(
  momentOf(new Date(`${dateView(new Date(Date.now() + 20 * dayMs), "IN").iso}T00:00:00Z`), "IN"),
);

test.each([
  ["a second before midnight", new Date(midnight.getTime() - 1_000)],
  ["at midnight", midnight],
])("shows one date for an end %s in India", async (_name, end) => {
  expect(end.toISOString()).toMatch(/T18:(29:59|30:00)\.000Z$/);
  const said = formatDate(end, "IN");
  const { iso } = dateView(end, "IN");
  const others = [-dayMs, dayMs].map((away) => formatDate(new Date(end.getTime() + away), "IN"));
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { family: "brio" });
  const start = new Date(end.getTime() - 365 * dayMs);
  await db
    .updateTable("subscriptions")
    .set({ start_date: start, end_date: end })
    .where("id", "=", held.id)
    .execute();
  const browser = await signedIn(context, stack.url, customer.owner);

  const shown: Record<string, string> = {};
  const page = async (path: string) => wordsOf(mainContentOf((await browser.get(path)).text));
  shown.renewals = await page("/renewals");
  shown.subscriptions = await page("/subscriptions");
  shown.renewal = await page(paths.renewalChoice(held.id));

  // More licences are paid until the end, which is on their invoice.
  const order = await beginChange(browser, "more", held.id, 1);
  shown.review = await page(`${order.path}/place-order`);
  await payChange(browser, stack.sandboxUrl, order);
  shown.invoice = await page(paths.invoice(order.id));

  await sendRenewalReminders(context, new Date(end.getTime() - 13.5 * dayMs));
  const mails = await db
    .selectFrom("mails")
    .select("id")
    .where("kind", "=", "renewal-reminder")
    .where("user_id", "=", customer.owner.userId)
    .execute();
  for (const { id } of mails) await sendMail(context, id);
  const inbox = await controls.inbox(customer.owner.email);
  shown.mail = inbox.map(({ text }) => text).join("\n");

  const staff = await makeStaff(context, "admin");
  const desk = await staffBrowser(context, stack.url, staff);
  shown.desk = wordsOf((await desk.get(paths.deskCustomer(customer.customerId))).text);

  for (const [place, text] of Object.entries(shown)) {
    expect(text, place).toContain(said);
    for (const other of others) expect(text, place).not.toContain(other);
  }

  const made = await browser.post("/renewals", { intent: "make" });
  const [, address = ""] = /data-copy="([^"]+)"/.exec(made.text) ?? [];
  const calendar = (await new HttpBrowser(stack.url).get(new URL(address).pathname)).text;
  expect(calendar).toContain(`DTSTART;VALUE=DATE:${iso.replaceAll("-", "")}`);

  // The CSV of documents has the document's date in the same time zone, and no end.
  const documents = (await browser.get(paths.documentsFile())).text;
  expect(documents).toContain(dateView(new Date(), "IN").iso);
});
