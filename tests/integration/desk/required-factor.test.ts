/** A live store: nobody comes to the desk without a second factor, and from a network that is not named there is no desk. */
import { expect, test } from "vitest";
import { loadDemoData } from "#server/commands/demo-data.ts";
import { demoPassword, demoStaffEmail } from "#server/commands/demo-login.ts";
import { staffNamed } from "#server/desk/accounts.ts";
import * as paths from "#server/paths.ts";
import { Browserless, mainOf } from "#tests/support/browserless.ts";
import { deskBrowser, makeStaff } from "#tests/support/desk.ts";
import { startStore } from "#tests/support/store.ts";

// The addresses of browsers in tests begin with 10.
const { stack, context } = await startStore({
  env: { DESK_SECOND_FACTOR: "required", DESK_ALLOWED_ADDRESSES: "10.0.0.0/8" },
});

test("the password alone, or a session that began with it, opens nothing", async () => {
  await loadDemoData(context.db);
  const form = { email: demoStaffEmail, password: demoPassword };
  const answer = await new Browserless(stack.url).post(paths.deskLogin(), form);
  expect(answer.status).toBe(403);
  expect(mainOf(answer.text)).toContain("no second factor yet");
  const browser = await deskBrowser(context, stack.url, await staffNamed(context.db, demoStaffEmail));
  expect((await browser.get(paths.desk())).location).toBe("/desk/login?next=%2Fdesk");
  expect((await browser.get(paths.deskLogin())).status).toBe(200);
}, 60_000);

test("from elsewhere there is no desk, for staff and strangers", async () => {
  const inside = await deskBrowser(context, stack.url, await makeStaff(context, "admin"));
  expect((await inside.get(paths.desk())).status).toBe(200);
  const outside = { "X-Forwarded-For": "203.0.113.9" };
  for (const path of [paths.desk(), paths.deskLogin(), paths.deskCode(), paths.deskAuditFile()])
    expect((await inside.get(path, outside)).status, path).toBe(404);
  const form = { email: demoStaffEmail, password: demoPassword };
  expect((await inside.post(paths.deskLogin(), form, outside)).status).toBe(404);
});
