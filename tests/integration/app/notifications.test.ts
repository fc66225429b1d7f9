/** Mails that can be switched off (on the account page, by their link, by the mailbox's button) and mails that cannot. */
import { describe, expect, test } from "vitest";
import { newId, type OrderId, parseId, type UserId } from "#db/ids.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import { queueAnyMail } from "#tests/support/mails.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;

interface Buyer {
  browser: HttpBrowser;
  userId: UserId;
  orderId: OrderId;
  email: string;
}

async function buyer(): Promise<Buyer> {
  const browser = new HttpBrowser(stack.url);
  const { id, email } = await toReview(browser);
  const { user_id: userId } = await db
    .selectFrom("orders")
    .select("user_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const orderId = parseId<OrderId>(id);
  if (userId === null || orderId === null) throw new Error("Expected the order to have a buyer");
  return { browser, userId, orderId, email };
}

/** Queues a reminder of the order and waits until it is sent or withheld. @returns the sent mails and the error, if any */
async function remind({ userId, orderId, email }: Buyer, data: Record<string, string> = {}) {
  const dedupeKey = `test:${newId()}`;
  const request = { kind: "resume-order", dedupeKey, recipient: email, userId, orderId, data } as const;
  await db.transaction().execute((trx) => queueAnyMail(trx, request));
  const read = () =>
    db
      .selectFrom("mails")
      .select(["sent_at as sentAt", "last_error as error"])
      .where("dedupe_key", "=", dedupeKey)
      .executeTakeFirstOrThrow();
  await until("the mail is done", async () => {
    const { sentAt, error } = await read();
    return sentAt !== null || error !== null;
  });
  const { error } = await read();
  const sent = (await controls.inbox(email)).filter(({ text }) => text.includes("/resume/"));
  return { error, sent };
}

const unsubscribeIn = (text: string) => /https?:\/\/\S+(\/unsubscribe\/\S+)/.exec(text)?.[1] ?? "";

describe("a mail that can be switched off", () => {
  test("stops through its link without signing in, and starts again", async () => {
    const one = await buyer();
    const { sent } = await remind(one);
    const link = unsubscribeIn(sent[0]?.text ?? "");
    expect(sent[0]?.html).toContain(link);
    const reader = new HttpBrowser(stack.url);

    // Mail scanners open links, so opening must not unsubscribe.
    const requested = mainContentOf((await reader.get(link)).text);
    expect(requested).toContain("Unsubscribe from these emails?");
    expect(requested).toContain(one.email);
    expect((await remind(one)).sent).toHaveLength(2);

    expect((await reader.post(link, {})).location).toBe(link);
    expect(mainContentOf((await reader.get(link)).text)).toContain("You&#x27;ve unsubscribed");
    const stopped = await remind(one);
    expect(stopped.sent).toHaveLength(2);
    expect(stopped.error).toContain("switched mails of this kind off");

    // Staff sent it during a call.
    expect((await remind(one, { asked: "yes" })).sent).toHaveLength(3);
    expect((await reader.post(link, { again: "yes" })).location).toBe(link);
    expect((await remind(one)).sent).toHaveLength(4);
  });

  test("stops through the mailbox's button, which sends no cookie or origin", async () => {
    const one = await buyer();
    const { sent } = await remind(one);
    const address = new URL(sent[0]?.unsubscribe ?? "");
    expect(address.origin).toBe(stack.url);
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      redirect: "manual",
    });
    expect(answer.status).toBe(204);
    expect((await remind(one)).error).not.toBeNull();
    expect((await new HttpBrowser(stack.url).get(paths.unsubscribe("a".repeat(43)))).status).toBe(404);
  });

  test("depends on the choice on the account's page, which names the required mails", async () => {
    const one = await buyer();
    const page = mainContentOf((await one.browser.get(paths.notifications())).text);
    expect(page.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2);
    expect(page).toContain("You can&#x27;t turn off emails about your orders");
    expect((await one.browser.post(paths.notifications(), { renewals: "on" })).status).toBe(303);
    const chosen = mainContentOf((await one.browser.get(paths.notifications())).text);
    expect(chosen.match(/type="checkbox"[^>]*checked/g)).toHaveLength(1);
    expect((await remind(one)).error).not.toBeNull();
    await one.browser.post(paths.notifications(), { renewals: "on", reminders: "on" });
    expect((await remind(one)).error).toBeNull();
  });
});

test("sends security mails regardless of the choice, without a link or button", async () => {
  const one = await buyer();
  await one.browser.post(paths.notifications(), {});
  const dedupeKey = `test:${newId()}`;
  await db.transaction().execute((trx) =>
    queueAnyMail(trx, {
      kind: "account-notice",
      dedupeKey,
      recipient: one.email,
      userId: one.userId,
      data: { what: "identity-linked" },
    }),
  );
  await until("the notice", async () =>
    (await controls.inbox(one.email)).some(({ subject }) => subject.startsWith("Outlook sign-in was added")),
  );
  const notice = (await controls.inbox(one.email)).find(({ subject }) =>
    subject.startsWith("Outlook sign-in was added"),
  );
  expect(notice?.text).not.toContain("/unsubscribe/");
  expect(notice?.unsubscribe).toBe("");
});
