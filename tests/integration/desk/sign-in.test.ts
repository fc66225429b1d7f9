/** Sign-in to Desk: password, second factor, single-use codes, recovery codes, and step-up before an action. */
import { beforeAll, expect, test } from "vitest";
import type { StaffId } from "#db/ids.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoPassword, demoStaffEmail } from "#sandbox/demo/login.ts";
import { stepUpSeconds } from "#server/desk/sessions.ts";
import {
  addStaff,
  changeStaffRole,
  getStaffByEmail,
  removeStaff,
  resetStaff,
} from "#server/desk/staff-accounts.ts";
import * as paths from "#server/foundation/paths.ts";
import { codeAt, makeStaff, staffBrowser, staffPassword, type TestStaff } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
beforeAll(async () => void (await loadDemoData(db)), 60_000);

const audit = { by: "test", reason: "test" };

/** Returns a browser that has entered the password. */
async function withPassword({ email }: TestStaff, password = staffPassword): Promise<HttpBrowser> {
  const browser = new HttpBrowser(stack.url);
  const answer = await browser.post(paths.deskLogin(), { email, password });
  expect(`${answer.status} ${answer.location}`).toBe("303 /desk/code?next=%2Fdesk");
  return browser;
}

const isIn = async (browser: HttpBrowser) => (await browser.get(paths.desk())).status === 200;

test("signs in with password and code, and continues to the requested page", async () => {
  const staff = await makeStaff(context, "support");
  const browser = new HttpBrowser(stack.url);
  expect((await browser.get(paths.deskOrders({ search: "acme" }))).location).toBe(
    "/desk/login?next=%2Fdesk%2Forders%3Fsearch%3Dacme",
  );
  const next = "/desk/orders?search=acme";
  const first = await browser.post(paths.deskLogin(), {
    email: staff.email.toUpperCase(),
    password: staffPassword,
    next,
  });
  expect(first.location).toBe(`/desk/code?next=${encodeURIComponent(next)}`);
  expect(await isIn(browser)).toBe(false);
  const halfway = browser.cookie("desk");
  const second = await browser.post(paths.deskCode(), { code: codeAt(staff.secret), next });
  expect(`${second.status} ${second.location}`).toBe(`303 ${next}`);
  expect(await isIn(browser)).toBe(true);

  // The token of the first step is useless.
  expect(browser.cookie("desk")).not.toBe(halfway);
  const other = new HttpBrowser(stack.url);
  other.setCookie("desk", halfway ?? "");
  expect(await isIn(other)).toBe(false);
});

test.each(["https://evil.example", "//evil.example", "/subscriptions", "/deskevil", "/desk/../account"])(
  "does not redirect a sign-in to %s",
  async (next) => {
    const staff = await makeStaff(context, "viewer");
    const browser = new HttpBrowser(stack.url);
    await browser.post(paths.deskLogin(), { email: staff.email, password: staffPassword });
    const { location } = await browser.post(paths.deskCode(), { code: codeAt(staff.secret), next });
    expect(new URL(location ?? "", stack.url).href).toMatch(new RegExp(`^${stack.url}/desk$`));
  },
);

test("refuses a wrong password and an unknown email with the same message", async () => {
  const staff = await makeStaff(context, "support");
  const answers = await Promise.all(
    [staff.email, "nobody@staff.example"].map((email) =>
      new HttpBrowser(stack.url).post(paths.deskLogin(), { email, password: "wrong" }),
    ),
  );
  for (const { status, text } of answers) {
    expect(status).toBe(401);
    expect(mainContentOf(text)).toContain("Incorrect email or password");
  }
});

test("accepts a code once, and no earlier code after it", async () => {
  const staff = await makeStaff(context, "support");
  const code = codeAt(staff.secret);
  const earlier = codeAt(staff.secret, new Date(Date.now() - 30_000));
  const [one, other] = [await withPassword(staff), await withPassword(staff)];
  expect((await one.post(paths.deskCode(), { code })).status).toBe(303);
  for (const again of [code, earlier]) {
    const answer = await other.post(paths.deskCode(), { code: again });
    expect(answer.status).toBe(400);
    expect(mainContentOf(answer.text)).toContain("That code is incorrect or already used.");
  }
  expect(await isIn(other)).toBe(false);
});

test("accepts the same code from one of several concurrent browsers", async () => {
  const staff = await makeStaff(context, "support");
  const code = codeAt(staff.secret);
  const browsers = [await withPassword(staff), await withPassword(staff), await withPassword(staff)];
  const answers = await Promise.all(browsers.map((browser) => browser.post(paths.deskCode(), { code })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
});

test("accepts a recovery code once, and audits it", async () => {
  const staff = await makeStaff(context, "support");
  const [code = ""] = staff.recoveryCodes;
  const browser = await withPassword(staff);
  expect((await browser.post(paths.deskCode(), { code: code.toUpperCase() })).status).toBe(303);
  expect(await isIn(browser)).toBe(true);
  const other = await withPassword(staff);
  expect((await other.post(paths.deskCode(), { code })).status).toBe(400);
  const log = db.selectFrom("audit_log").select("action").where("staff_id", "=", staff.id);
  expect((await log.execute()).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["staff.set-up", "staff.recovery-code", "staff.sign-in"]),
  );
});

test("locks out even the right code after five wrong ones", async () => {
  const staff = await makeStaff(context, "support");
  const browser = await withPassword(staff);
  const wrong = codeAt(staff.secret) === "000000" ? "111111" : "000000";
  for (let tries = 0; tries < 5; tries += 1)
    expect((await browser.post(paths.deskCode(), { code: wrong })).status).toBe(400);
  const answer = await browser.post(paths.deskCode(), { code: codeAt(staff.secret) });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
});

test("stores no secret in clear", async () => {
  const staff = await makeStaff(context, "support");
  const row = await db.selectFrom("staff").selectAll().where("id", "=", staff.id).executeTakeFirstOrThrow();
  const codes = db.selectFrom("staff_recovery_codes").selectAll().where("staff_id", "=", staff.id);
  const stored = JSON.stringify([row, await codes.execute()]);
  for (const secret of [staff.secret, staffPassword, ...staff.recoveryCodes])
    expect(stored).not.toContain(secret);
});

test("asks for step-up after ten minutes, and keeps the entered values", async () => {
  const staff = await makeStaff(context, "admin");
  const other = await makeStaff(context, "viewer");
  const ago = new Date(Date.now() - (stepUpSeconds + 1) * 1_000);
  const browser = await staffBrowser(context, stack.url, staff, { now: ago });
  const path = paths.deskActionForm("staff.role", other.id);
  expect(mainContentOf((await browser.get(path)).text)).toContain('name="code"');

  const form = { role: "support", reason: "She answers customers now" };
  const refused = await browser.post(path, form);
  expect(refused.status).toBe(400);
  expect(mainContentOf(refused.text)).toContain("She answers customers now");
  expect(await roleOf(other.id)).toBe("viewer");

  const done = await browser.post(path, { ...form, code: codeAt(staff.secret) });
  expect(done.location).toBe(paths.deskStaff());
  expect(await roleOf(other.id)).toBe("support");
  // The ten minutes start again.
  expect(mainContentOf((await browser.get(path)).text)).not.toContain('name="code"');
});

test("asks for the password again without a second factor, as in the sandbox", async () => {
  const demo = await getStaffByEmail(db, demoStaffEmail);
  const ago = new Date(Date.now() - (stepUpSeconds + 1) * 1_000);
  const browser = await staffBrowser(context, stack.url, demo, { now: ago });
  const other = await makeStaff(context, "viewer");
  const path = paths.deskActionForm("staff.end-sessions", other.id);
  expect((await browser.post(path, { reason: "test", password: "wrong" })).status).toBe(400);
  expect((await browser.post(path, { reason: "test", password: demoPassword })).status).toBe(303);
});

test("lets the sandbox's admin sign in with only a password", async () => {
  const browser = new HttpBrowser(stack.url);
  const answer = await browser.post(paths.deskLogin(), { email: demoStaffEmail, password: demoPassword });
  expect(`${answer.status} ${answer.location}`).toBe("303 /desk");
  expect(await isIn(browser)).toBe(true);
  await browser.post(paths.deskLogout(), {});
  expect(await isIn(browser)).toBe(false);
});

const roleOf = async (id: StaffId) =>
  (await db.selectFrom("staff").select("role").where("id", "=", id).executeTakeFirstOrThrow()).role;

test("accepts a setup link once, requires a valid code and a long password", async () => {
  const { path } = await addStaff(context, { email: "new@staff.example", role: "viewer" }, audit);
  const browser = new HttpBrowser(stack.url);
  const page = mainContentOf((await browser.get(path)).text);
  const secret = (/Key: <code>([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  expect(secret).toHaveLength(32);
  const form = { password: staffPassword, confirmPassword: staffPassword, code: codeAt(secret) };
  for (const wrong of [
    { code: "000000" },
    { password: "short", confirmPassword: "short" },
    { confirmPassword: "other" },
  ])
    expect((await browser.post(path, { ...form, ...wrong })).status).toBe(400);

  const done = mainContentOf((await browser.post(path, form)).text);
  const codes = [...done.matchAll(/<code>([a-z2-9-]{19})<\/code>/g)].map(([, code = ""]) => code);
  expect(codes).toHaveLength(10);
  expect(await isIn(browser)).toBe(true);

  const late = new HttpBrowser(stack.url);
  expect(mainContentOf((await late.get(path)).text)).toContain("has been used or has expired");
  expect((await late.post(path, { ...form, code: codeAt(secret) })).status).toBe(404);
  // The code from the setup cannot be used again.
  await late.post(paths.deskLogin(), { email: "new@staff.example", password: staffPassword });
  expect((await late.post(paths.deskCode(), { code: form.code })).status).toBe(400);
  expect((await late.post(paths.deskCode(), { code: codes[0] ?? "" })).status).toBe(303);
});

test("ends sessions and setup links of staff who are removed or reset", async () => {
  for (const end of [
    removeStaff,
    async (_db: typeof db, id: StaffId) => void (await resetStaff(context, id, audit)),
  ]) {
    const staff = await makeStaff(context, "support");
    const { path } = await resetStaff(context, staff.id, audit);
    const browser = await staffBrowser(context, stack.url, staff);
    expect(await isIn(browser)).toBe(true);
    await end(db, staff.id, audit);
    expect(await isIn(browser)).toBe(false);
    expect(mainContentOf((await new HttpBrowser(stack.url).get(path)).text)).toContain(
      "has been used or has expired",
    );
    const answer = await new HttpBrowser(stack.url).post(paths.deskLogin(), {
      email: staff.email,
      password: staffPassword,
    });
    expect(answer.status).toBe(401);
  }
});

test("refuses to remove or demote the last admin", async () => {
  const admins = await db
    .selectFrom("staff")
    .select("id")
    .where("role", "=", "admin")
    .where("removed_at", "is", null)
    .execute();
  const [last, ...others] = admins;
  if (last === undefined) throw new Error("Expected an admin");
  for (const { id } of others) await changeStaffRole(db, id, "viewer", audit);
  await expect(removeStaff(db, last.id, audit)).rejects.toMatchObject({ code: "conflict" });
  await expect(changeStaffRole(db, last.id, "viewer", audit)).rejects.toMatchObject({ code: "conflict" });
  await changeStaffRole(db, last.id, "admin", audit);
});
