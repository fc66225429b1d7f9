/** Settings for sign-in with an account at an identity provider. */
import { describe, expect, test } from "vitest";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { reasonToRefuse } from "#sandbox/vendors/guard.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { readEnv } from "#server/platform/env.ts";

const complete = sandboxEnvironment({
  port: 3000,
  sandboxPort: 3100,
  smtpPort: 3101,
  databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
  dataDir: ".data",
  secrets: createSecrets(),
});

describe.each(identityProviderIds)("%s", (id) => {
  const { settings, issuer: standard } = identityProviders[id];
  const issuerOf = (issuer: string | undefined) =>
    readEnv({ ...complete, [settings.issuer]: issuer }).identityAccounts.get(id)?.issuer;

  test("uses the provider's own issuer by default", () => {
    expect(issuerOf(undefined)).toBe(standard);
    expect(issuerOf("")).toBe(standard);
    expect(standard).toMatch(/^https:\/\/(login\.microsoftonline|accounts\.google)\.com/);
  });

  test("demands an https issuer, except on this machine", () => {
    const refusal = new RegExp(`${settings.issuer}: must be https`);
    expect(() => issuerOf("http://login.example/v2.0")).toThrow(refusal);
    expect(() => issuerOf("http://localhost.evil.example/v2.0")).toThrow(refusal);
    expect(() => issuerOf("http://127.0.0.1.evil.example/v2.0")).toThrow(refusal);
    expect(() => issuerOf("not an address")).toThrow(refusal);
    expect(issuerOf("http://127.0.0.1:3100/v2.0")).toBe("http://127.0.0.1:3100/v2.0");
    expect(issuerOf("http://localhost:3100/v2.0")).toBe("http://localhost:3100/v2.0");
  });

  test("demands an https issuer for a public store even on this machine", () => {
    const store = { ...complete, PUBLIC_URL: "https://store.example" };
    expect(() => readEnv(store)).toThrow(new RegExp(`${settings.issuer}: must be https in production`));
  });

  test("refuses a client without its secret, and a secret without its client", () => {
    for (const name of [settings.clientId, settings.clientSecret]) {
      expect(() => readEnv({ ...complete, [name]: undefined })).toThrow(new RegExp(`${name}: .*missing`));
    }
  });

  test("refuses to run the sandbox with the real issuer", () => {
    expect(reasonToRefuse({ ...complete, [settings.issuer]: standard })).toContain(settings.issuer);
  });
});

test("runs the sandbox with its own issuers", () => {
  expect(reasonToRefuse(complete)).toBeUndefined();
});

test("requires Outlook, because administrators sign in with the same app", () => {
  const { OUTLOOK_CLIENT_ID: _, OUTLOOK_CLIENT_SECRET: __, ...rest } = complete;
  expect(() => readEnv(rest)).toThrow(/OUTLOOK_CLIENT_ID: missing\n[\s\S]*OUTLOOK_CLIENT_SECRET: missing/);
});

test("offers Google only with an account", () => {
  const { GOOGLE_SIGN_IN_CLIENT_ID: _, GOOGLE_SIGN_IN_CLIENT_SECRET: __, ...rest } = complete;
  expect([...readEnv(complete).identityAccounts.keys()]).toEqual(["outlook", "google"]);
  expect([...readEnv(rest).identityAccounts.keys()]).toEqual(["outlook"]);
});
