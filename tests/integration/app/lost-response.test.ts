/** Create Account whose response is lost: the account exists, but the browser did not get its session. */
import { expect, test } from "vitest";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

/** Returns the browser as it was before the response: with its draft and without a session. */
async function unheard() {
  const heard = new HttpBrowser(stack.url);
  const order = await beginOrder(heard);
  const unheardOf = new HttpBrowser(stack.url);
  for (const [name, value] of Object.entries(heard.cookies())) unheardOf.setCookie(name, value);
  const email = freshEmail();
  const step = `${order.path}/create-account`;
  const form = accountForm(email);
  expect((await heard.post(step, form)).location).toBe(`${order.path}/place-order`);
  return { heard, browser: unheardOf, order, step, form, email };
}

test("signs in and continues when the form is sent again, without a second account", async () => {
  const { browser, order, step, form, email } = await unheard();
  const again = await browser.post(step, form);
  expect(again.location).toBe(order.path);
  expect((await browser.get(order.path)).location).toBe(`${order.path}/place-order`);
  expect((await browser.get(`${order.path}/place-order`)).text).toContain("Review and Place Order");
  expect((await browser.get("/account")).text).toContain(email);
  const sessions = await context.db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select("sessions.id")
    .where("users.email", "=", email)
    .execute();
  expect(sessions).toHaveLength(1);
});

test("signs in and continues when the page is opened again", async () => {
  const { browser, order, step } = await unheard();
  expect((await browser.get(step)).location).toBe(order.path);
  expect((await browser.get(`${order.path}/place-order`)).status).toBe(200);
});

test("sends another browser with the link to the login", async () => {
  const { step, form } = await unheard();
  for (const stranger of [new HttpBrowser(stack.url), (await unheard()).browser]) {
    expect((await stranger.post(step, form)).location).toMatch(/^\/login\?next=/);
  }
});

test("refuses the draft key once the response arrived, also after Log Out", async () => {
  const { heard, browser, step, form } = await unheard();
  expect((await heard.get("/account")).status).toBe(200);
  expect((await browser.post(step, form)).location).toMatch(/^\/login\?next=/);
  await heard.post("/logout", {});
  expect((await browser.get(step)).location).toMatch(/^\/login\?next=/);
});

test("refuses the draft key after an hour", async () => {
  const { browser, step, email } = await unheard();
  await context.db
    .updateTable("sessions")
    .set({ created_at: new Date(Date.now() - 3_601_000) })
    .where("user_id", "in", (eb) =>
      eb.selectFrom("users").select("users.id").where("users.email", "=", email),
    )
    .execute();
  expect((await browser.get(step)).location).toMatch(/^\/login\?next=/);
});
