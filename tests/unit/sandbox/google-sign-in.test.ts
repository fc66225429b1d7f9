/** The sandbox's Google accounts: the choices, the claims of their ID tokens, and refusals with Google's codes. */
import { afterEach, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { createIdentityClient, type IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { waitLimitMs } from "#tests/support/until.ts";
import { failureOf } from "../integrations/support.ts";
import { googleCallback, googleClient, start } from "./support.ts";

const running: RunningSandbox[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});
async function sandbox(): Promise<RunningSandbox> {
  const started = await start();
  running.push(started);
  return started;
}

const clientOf = ({ url }: RunningSandbox, clientSecret = googleClient.clientSecret) =>
  createIdentityClient("google", {
    issuer: `${url}/google-login`,
    clientId: googleClient.clientId,
    clientSecret,
    timeoutMs: waitLimitMs,
  });

/** Signs in with the form's values. @returns the query of the redirect, and a function that finishes the sign-in */
async function comeBack(at: RunningSandbox, form: Record<string, string>, clientSecret?: string) {
  const client = clientOf(at, clientSecret);
  const { url, flow } = await client.begin(googleCallback);
  const browser = new HttpBrowser(at.url);
  const { location } = await browser.get(url);
  const chosen = await browser.post(location ?? "", { action: "sign-in", ...form });
  const resumed = await browser.get(chosen.location ?? "");
  const answer = new URL(resumed.location ?? "").searchParams;
  return { answer, finish: () => client.finish(googleCallback, answer, flow) };
}
async function signIn(at: RunningSandbox, form: Record<string, string>): Promise<IdentityPerson> {
  return (await comeBack(at, form)).finish();
}

test.each([
  ["gita", "gita.menon.sandbox@gmail.com", true],
  ["wasim", "wasim@orchard.example", true],
  ["demo", "demo@example.com", false],
  ["una", "una@elsewhere.example", false],
])("offers %s, a kind of account that stores need to support", async (person, email, emailIsVerified) => {
  expect(await signIn(await sandbox(), { person })).toMatchObject({ email, emailIsVerified });
});

test("accepts typed accounts: of a Workspace domain, verified once, and unverified", async () => {
  const at = await sandbox();
  const typed = { person: "other", email: "asha@contoso.example", name: "Asha Rao" };
  const hosted = await signIn(at, { ...typed, verified: "yes" });
  expect(hosted).toMatchObject({
    email: typed.email,
    emailIsVerified: true,
    firstName: "Asha",
    lastName: "Rao",
  });
  expect((await signIn(at, { ...typed, verified: "yes" })).subject).toBe(hosted.subject);
  const once = await signIn(at, { ...typed, verified: "once" });
  expect(once).toMatchObject({ email: typed.email, emailIsVerified: false });
  expect(once.subject).not.toBe(hosted.subject);
  expect(await signIn(at, { ...typed, verified: "no" })).toMatchObject({ emailIsVerified: false });
  expect(await signIn(at, { ...typed, email: "" })).toMatchObject({ email: null, firstName: "Asha" });
});

test("accepts a code once, and refuses an expired one", async () => {
  const at = await sandbox();
  const { finish } = await comeBack(at, { person: "gita" });
  await finish();
  expect(await failureOf(finish())).toMatchObject({ kind: "refused", code: "invalid_grant" });
  const late = await comeBack(at, { person: "lata" });
  expect(late.answer.get("code")).toMatch(/.{20,}/);
  expect(await failureOf(late.finish())).toMatchObject({ kind: "refused", code: "invalid_grant" });
});

test("refuses a wrong secret with Google's code", async () => {
  const at = await sandbox();
  const { finish } = await comeBack(at, { person: "gita" }, "another-secret");
  expect(await failureOf(finish())).toMatchObject({ kind: "refused", code: "invalid_client" });
  const answer = await fetch(`${at.url}/google-login/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: "made-up",
      redirect_uri: googleCallback,
      client_id: googleClient.clientId,
      client_secret: googleClient.clientSecret,
      code_verifier: "v".repeat(43),
    }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: "invalid_grant", error_description: "Bad Request" },
  ]);
});

test("refuses an unregistered redirect, and names the mismatch as Google does", async () => {
  const at = await sandbox();
  const { url } = await clientOf(at).begin("http://evil.example/sign-in/google/callback");
  const answer = await new HttpBrowser(at.url).get(url);
  expect([answer.status, answer.location]).toEqual([400, null]);
  expect(answer.text).toContain("Error 400: redirect_uri_mismatch");
});

test("returns access_denied when the user cancels", async () => {
  const { answer, finish } = await comeBack(await sandbox(), { person: "gita", action: "cancel" });
  expect(answer.get("error")).toBe("access_denied");
  expect(await failureOf(finish())).toMatchObject({ kind: "refused", code: "access_denied" });
});
