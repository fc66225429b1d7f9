/** The sandbox's Outlook: the accounts to choose from, the claims of their ID tokens, and its stored state. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RunningSandbox, StartOptions } from "#sandbox/vendors/start.ts";
import { createIdentityClient } from "#server/integrations/identity-providers/client.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { waitLimitMs } from "#tests/support/until.ts";
import { callback, outlookClient, start } from "./support.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hubs-outlook-"));
});
afterAll(() => rm(folder, { recursive: true }));

const running: RunningSandbox[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});
async function sandbox(options: Partial<StartOptions> = {}): Promise<RunningSandbox> {
  const started = await start(options);
  running.push(started);
  return started;
}

const clientOf = ({ url }: RunningSandbox) =>
  createIdentityClient("outlook", {
    issuer: `${url}/microsoft-login/common/v2.0`,
    clientId: outlookClient.clientId,
    clientSecret: outlookClient.clientSecret,
    timeoutMs: waitLimitMs,
  });

/** Signs in with the form's values. */
async function signIn(at: RunningSandbox, form: Record<string, string>) {
  const client = clientOf(at);
  const { url, flow } = await client.begin(callback);
  const browser = new HttpBrowser(at.url);
  const { location } = await browser.get(url);
  const chosen = await browser.post(location ?? "", { action: "sign-in", ...form });
  const resumed = await browser.get(chosen.location ?? "");
  return client.finish(callback, new URL(resumed.location ?? "").searchParams, flow);
}

test("offers one account for each kind that stores need to support", async () => {
  const at = await sandbox();
  expect(await signIn(at, { person: "nina" })).toMatchObject({
    email: "nina@orchard.example",
    emailIsVerified: true,
    firstName: "Nina",
    lastName: "Menon",
  });
  expect(await signIn(at, { person: "paul" })).toMatchObject({
    email: "paul.personal@outlook.example",
    emailIsVerified: true,
  });
  expect(await signIn(at, { person: "demo" })).toMatchObject({
    email: "demo@example.com",
    emailIsVerified: false,
  });
  expect(await signIn(at, { person: "ravi" })).toMatchObject({ email: null, emailIsVerified: false });
});

test("gives the same typed account one subject, and a different one another", async () => {
  const at = await sandbox();
  const typed = { person: "other", email: "asha@contoso.example", name: "Asha Rao", verified: "yes" };
  const first = await signIn(at, typed);
  expect(first).toMatchObject({ email: typed.email, emailIsVerified: true, firstName: "Asha" });
  expect((await signIn(at, typed)).subject).toBe(first.subject);
  const stranger = await signIn(at, { ...typed, verified: "no" });
  expect(stranger).toMatchObject({ email: typed.email, emailIsVerified: false });
  expect(stranger.subject).not.toBe(first.subject);
});

test("asks again without a choice, and refuses a page from another browser", async () => {
  const at = await sandbox();
  const { url } = await clientOf(at).begin(callback);
  const browser = new HttpBrowser(at.url);
  const { location } = await browser.get(url);
  const again = await browser.post(location ?? "", { person: "nina" });
  expect([again.status, again.text.includes("Choose somebody.")]).toEqual([400, true]);
  const other = await new HttpBrowser(at.url).get(location ?? "");
  expect([other.status, other.text.includes("it belongs to another browser")]).toEqual([400, true]);
});

test("refuses an unregistered redirect address", async () => {
  const at = await sandbox();
  const { url } = await clientOf(at).begin("http://evil.example/azure/ad/callback");
  const answer = await new HttpBrowser(at.url).get(url);
  expect([answer.status, answer.location]).toEqual([400, null]);
  expect(answer.text).toContain("redirect_uri");
});

test("keeps the key of its tokens after a restart, and loads an older file", async () => {
  const dataFile = path.join(folder, "sandbox.json");
  const keys = async (at: RunningSandbox) =>
    (await fetch(`${at.url}/microsoft-login/common/v2.0/jwks`)).text();
  const first = await sandbox({ dataFile });
  const before = await keys(first);
  const { outlook: _, ...older } = JSON.parse(await readFile(dataFile, "utf8"));
  await first.stop();
  running.length = 0;
  const second = await sandbox({ dataFile });
  expect(await keys(second)).toBe(before);
  expect(before).not.toContain('"d":');

  const oldFile = path.join(folder, "older.json");
  await writeFile(oldFile, JSON.stringify(older));
  expect(await signIn(await sandbox({ dataFile: oldFile }), { person: "nina" })).toMatchObject({
    emailIsVerified: true,
  });
});
