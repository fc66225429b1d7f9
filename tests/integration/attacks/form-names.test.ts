/**
 * The form parser builds lists and objects from field names: one post of 14 bytes once froze the store for minutes and took 4
 * GB. Only names of the form's own fields may reach it.
 */
import { expect, test } from "vitest";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, plan, toReview } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

const form = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
const send = (browser: HttpBrowser, path: string, body: string) =>
  expectNoWrites(context.db, () => browser.ask(path, { method: "POST", headers: form, body }));

const hostile = [
  "a[60000000]=1",
  "a[99999999]=1&email[4294967294]=x",
  "email[0]=a@example.com",
  `${"a.".repeat(8)}b=1`,
  `a${".b".repeat(20_000)}=1`,
  `a${"[0]".repeat(15_000)}=1`,
  "__state__={bad",
  "__intent__=null",
  "__intent__=validate",
  '__intent__={"type":"update","payload":{"name":"a[60000000]","value":"x"}}',
  '__intent__={"type":"remove","payload":{"name":"email","index":0}}',
  "__proto__[admin]=1",
  "constructor.prototype.admin=1",
  "a%00=1",
];
const step1 = `/order/${plan.family}/${plan.item}/IN`;
/** Pages without a session. */
const open = ["/login", "/signup", "/forgot-password", step1];

const named = hostile.map((body): [string, string] => [body.slice(0, 60), body]);

test.each(named)(
  "refuses %s at once with a message, without delaying another visitor",
  async (_name, body) => {
    for (const path of open) {
      const response = send(new HttpBrowser(stack.url), path, `email=kept%40example.com&${body}`);
      const startedAt = performance.now();
      expect((await new HttpBrowser(stack.url).get("/health")).status).toBe(200);
      expect(performance.now() - startedAt, path).toBeLessThan(2_000);
      const answer = await response;
      expect(answer.status, path).toBe(400);
      expect(answer.text).toContain("There is a problem");
      expect(answer.text).toContain("We couldn&#x27;t read this form.");
      if (path !== step1) expect(answer.text).toContain("kept@example.com");
    }
    expect(stack.unexpectedErrors()).toEqual([]);
  },
);

test("shows the message on a form that is only a button, too", async () => {
  const buyer = new HttpBrowser(stack.url);
  await toReview(buyer);
  const answer = await send(buyer, "/account", "a[60000000]=1");
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("We couldn&#x27;t read this form.");
  expect(buyer.hasCookie("session")).toBe(true);
});

test("refuses a repeated field with a message", async () => {
  const answer = await send(new HttpBrowser(stack.url), "/login", "email=a%40b.co&email=c%40d.co&password=x");
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("One answer was sent twice.");
  expect(answer.text).not.toContain("Invalid input");
});

test.each([
  ["/login", "email=a%00%40b.co&password=x"],
  ["/login", "email=a%40b.co&password=x%00"],
  ["/signup", "firstName=a%00&lastName=b&email=nul%40example.com&password=x&phoneNumber=9876543210"],
  ["/forgot-password", "email=a%00%40b.co"],
])("refuses a NUL in a field of %s at the field", async (path, body) => {
  const answer = await send(new HttpBrowser(stack.url), path, body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("This text has characters we can&#x27;t save. Remove them and try again.");
  expect(stack.unexpectedErrors()).toEqual([]);
});

test("ignores fields that a browser extension adds", async () => {
  const buyer = new HttpBrowser(stack.url);
  const { path } = await beginOrder(buyer);
  const answer = await buyer.post(`${path}/subscription-details`, {
    term: "P1Y",
    quantity: "3",
    _extension: "1",
  });
  expect([answer.status, answer.location]).toEqual([303, `${path}/create-account`]);
});
