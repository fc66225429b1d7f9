/** Partner consent, from the command's link to the request for a new consent. */
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { findConsent } from "#db/catalogue/partner-consents.ts";
import { consentInSandbox } from "#sandbox/demo/consent.ts";
import { readConsentStatuses } from "#server/catalogue/partner-accounts/consent-status.ts";
import { refreshConsents } from "#server/catalogue/partner-accounts/refresh-consents.ts";
import { consentByBrowser } from "#server/operations/commands/consent-by-browser.ts";
import { freePorts } from "#tests/support/ports.ts";
import { startWorld } from "#tests/support/world.ts";

const [port = 0] = await freePorts(1);
const world = await startWorld({ PARTNER_CONSENT_URL: `http://localhost:${port}/partner-consent` }, false);
const { context, sandbox } = world;
const { db } = context;
const day = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * day);

const consentIn = () =>
  findConsent(db, { country: "IN", tenant: context.env.partnerAccounts.get("IN")?.tenant ?? "" });
const mailsToOperator = async () =>
  (await db.selectFrom("mails").select(["data"]).where("kind", "=", "operator-alert").execute()).map(
    ({ data }) => z.object({ what: z.string() }).parse(data).what,
  );
const lever = (name: string, body: object) =>
  fetch(`${sandbox.url}/control/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

beforeEach(async () => {
  await db.deleteFrom("provider_secrets").execute();
  await db.deleteFrom("mails").execute();
  await sandbox.reset();
});

/** Runs the command and opens its link as the given person. @returns the command's output, its error, and the page */
async function consentAs(person: string, change: (link: string) => string = (link) => link) {
  const said: string[] = [];
  let opened: Promise<string> | undefined;
  const open = async (link: string) => {
    const body = new URLSearchParams({ person, action: person === "nobody" ? "cancel" : "sign-in" });
    const accepted = await fetch(link, { method: "POST", redirect: "manual", body });
    const back = change(accepted.headers.get("location") ?? "");
    return (await fetch(back)).text();
  };
  const done = consentByBrowser(context, "IN", (line) => {
    said.push(line);
    const link = /https?:\S+oauth2\/authorize\S+/.exec(line)?.[0];
    if (link !== undefined) opened = open(link);
  });
  const failed = await done.then(
    () => null,
    (error: unknown) => error,
  );
  return { said: said.join("\n"), failed, read: await opened };
}

test("stores a sealed token with the person's name and whether they used MFA", async () => {
  const { said, failed, read } = await consentAs("agent");
  expect(failed).toBeNull();
  expect(said).toContain("agent@partner-in.sandbox.example has consented for IN.");
  expect(said).not.toContain("Warning");
  expect(read).toContain("Consent saved");
  const stored = await consentIn();
  expect(stored).toMatchObject({ userName: "agent@partner-in.sandbox.example", hasMfa: true });
  expect(stored?.sealedToken).not.toContain("sandbox-refresh");
  expect(await context.partnerCenterOf("IN").relationshipRequestUrl()).toContain("/partner-center/approve");
  await expect(context.partnerCenterOf("US").relationshipRequestUrl()).rejects.toMatchObject({
    code: "no_consent",
  });
});

test("stores a consent without MFA, with a warning", async () => {
  const { said, failed } = await consentAs("no-mfa");
  expect(failed).toBeNull();
  expect(said).toContain("Warning: the token doesn't show MFA.");
  expect(await consentIn()).toMatchObject({ hasMfa: false });
});

test.each([
  ["a user of another tenant", "stranger", undefined, "other_tenant"],
  ["a user who cancelled", "nobody", undefined, "access_denied"],
  [
    "a response to another request",
    "agent",
    (link: string) => link.replace(/state=[^&]+/, "state=forged"),
    "unexpected_answer",
  ],
  ["a made-up code", "agent", (link: string) => link.replace(/code=[^&]+/, "code=made-up"), "AADSTS70008"],
])("stores nothing for %s", async (_name, person, change, code) => {
  const { failed, read } = await consentAs(person, change);
  expect(failed).toMatchObject({ kind: "refused", code });
  expect(read).toContain("Consent wasn't saved");
  expect(await consentIn()).toBeNull();
});

test("does not find a consent for a different tenant", async () => {
  await consentInSandbox(context);
  expect(await findConsent(db, { country: "IN", tenant: "another.example" })).toBeNull();
});

test("exchanges every token daily, so that none expires unused", async () => {
  await consentInSandbox(context);
  const before = await consentIn();
  await refreshConsents(context);
  const after = await consentIn();
  expect(after?.sealedToken).not.toBe(before?.sealedToken);
  expect(after?.obtainedAt).toEqual(before?.obtainedAt);
  expect(after?.lastUsedAt.getTime()).toBeGreaterThan(before?.lastUsedAt.getTime() ?? 0);
  for (const passed of [60, 120, 180]) {
    await lever("clock", { offsetMs: passed * day });
    await refreshConsents(context);
  }
  expect(await mailsToOperator()).toEqual([]);
});

test("alerts the operator once to an old consent, and again to the next one", async () => {
  await consentInSandbox(context);
  await refreshConsents(context, at(59));
  expect(await mailsToOperator()).toEqual([]);
  for (const days of [60, 61, 75]) await refreshConsents(context, at(days));
  expect(await mailsToOperator()).toEqual([
    expect.stringContaining("is 60 days old"),
    expect.stringContaining("is 60 days old"),
  ]);
  await consentInSandbox(context);
  await refreshConsents(context, at(61));
  expect(await mailsToOperator()).toHaveLength(4);
});

test("alerts the operator once for each account without a consent", async () => {
  await refreshConsents(context);
  await refreshConsents(context);
  expect(await mailsToOperator()).toEqual([
    expect.stringContaining("No one has consented for the partner account in India"),
    expect.stringContaining("No one has consented for the partner account in the USA"),
  ]);
});

test("alerts the operator once to a consent without MFA", async () => {
  await consentInSandbox(context, "no-mfa");
  await refreshConsents(context);
  await refreshConsents(context);
  expect(await mailsToOperator()).toHaveLength(2);
  expect((await mailsToOperator())[0]).toContain("without MFA");
});

test("alerts once to a revoked consent, and still uses the other account's", async () => {
  await consentInSandbox(context);
  await lever("partner", { revoke: "IN" });
  await refreshConsents(context);
  await refreshConsents(context);
  expect(await mailsToOperator()).toEqual([expect.stringContaining("AADSTS50173")]);
  const [india, usa] = await readConsentStatuses(context);
  expect(india?.consent?.lastUsedAt).toEqual(india?.consent?.obtainedAt);
  expect(usa?.consent?.lastUsedAt.getTime()).toBeGreaterThan(usa?.consent?.obtainedAt.getTime() ?? 0);
});

test("keeps a new consent that is stored while the old one is exchanged", async () => {
  await consentInSandbox(context);
  const old = await consentIn();
  const india = context.partnerCenterOf("IN");
  await lever("faults", [{ match: { path: "/oauth2/token$" }, kind: "slow", times: 1, delayMs: 400 }]);
  const exchanging = india.refreshConsent();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await consentInSandbox(context, "agent");
  const given = await consentIn();
  await exchanging;
  expect(given?.sealedToken).not.toBe(old?.sealedToken);
  expect((await consentIn())?.sealedToken).toBe(given?.sealedToken);
});
