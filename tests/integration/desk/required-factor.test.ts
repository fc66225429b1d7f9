/** A live store: Desk requires a second factor, and does not exist for networks outside the allow list. */
import { expect, test } from "vitest";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoPassword, demoStaffEmail } from "#sandbox/demo/login.ts";
import { getStaffByEmail } from "#server/desk/staff-accounts.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

// Test browsers have addresses that begin with 10.
const { stack, context } = await startStore({
  env: { DESK_SECOND_FACTOR: "required", DESK_ALLOWED_ADDRESSES: "10.0.0.0/8" },
});

test("refuses a sign-in, or an existing session, with only a password", async () => {
  await loadDemoData(context.db);
  const form = { email: demoStaffEmail, password: demoPassword };
  const answer = await new HttpBrowser(stack.url).post(paths.deskLogin(), form);
  expect(answer.status).toBe(403);
  expect(mainContentOf(answer.text)).toContain("Two-step sign-in isn&#x27;t set up for your account");
  const browser = await staffBrowser(context, stack.url, await getStaffByEmail(context.db, demoStaffEmail));
  expect((await browser.get(paths.desk())).location).toBe("/desk/login?next=%2Fdesk");
  expect((await browser.get(paths.deskLogin())).status).toBe(200);
});

test("responds 404 to staff and strangers from other networks", async () => {
  const inside = await staffBrowser(context, stack.url, await makeStaff(context, "admin"));
  expect((await inside.get(paths.desk())).status).toBe(200);
  const outside = { "X-Forwarded-For": "203.0.113.9" };
  for (const path of [paths.desk(), paths.deskLogin(), paths.deskCode(), paths.deskAuditCsv()])
    expect((await inside.get(path, outside)).status, path).toBe(404);
  const form = { email: demoStaffEmail, password: demoPassword };
  expect((await inside.post(paths.deskLogin(), form, outside)).status).toBe(404);
});
