/** What a production store must be told before people may sign in with Outlook. */
import { expect, test } from "vitest";
import { createSecrets, sandboxEnvironment } from "#server/commands/sandbox-environment.ts";
import { readEnv } from "#server/env.ts";
import { reasonToRefuse } from "#server/sandbox/guard.ts";

const complete = sandboxEnvironment({
  port: 3000,
  sandboxPort: 3100,
  smtpPort: 3101,
  databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
  dataDir: ".data",
  secrets: createSecrets(),
});
const withIssuer = (issuer: string | undefined) => () => readEnv({ ...complete, OUTLOOK_ISSUER: issuer });

test("the issuer is Microsoft's unless told otherwise", () => {
  expect(withIssuer(undefined)().OUTLOOK_ISSUER).toBe("https://login.microsoftonline.com/common/v2.0");
});

test("it is https, but for this machine", () => {
  expect(withIssuer("http://login.microsoftonline.com/common/v2.0")).toThrow(/OUTLOOK_ISSUER: must be https/);
  expect(withIssuer("http://localhost.evil.example/v2.0")).toThrow(/OUTLOOK_ISSUER: must be https/);
  expect(withIssuer("http://127.0.0.1.evil.example/v2.0")).toThrow(/OUTLOOK_ISSUER: must be https/);
  expect(withIssuer("http://127.0.0.1:3100/v2.0")().OUTLOOK_ISSUER).toBe("http://127.0.0.1:3100/v2.0");
  expect(withIssuer("http://localhost:3100/v2.0")().OUTLOOK_ISSUER).toBe("http://localhost:3100/v2.0");
});

test("a store that customers reach takes nobody's word but over https", () => {
  const store = { ...complete, PUBLIC_URL: "https://store.example" };
  expect(() => readEnv(store)).toThrow(/OUTLOOK_ISSUER: must be https in production/);
});

test("client and secret are asked for", () => {
  const { OUTLOOK_CLIENT_ID: _, OUTLOOK_CLIENT_SECRET: __, ...rest } = complete;
  expect(() => readEnv(rest)).toThrow(/OUTLOOK_CLIENT_ID: missing\n[\s\S]*OUTLOOK_CLIENT_SECRET: missing/);
});

test("the sandbox does not run beside the real one", () => {
  const env = { ...complete, OUTLOOK_ISSUER: "https://login.microsoftonline.com/common/v2.0" };
  expect(reasonToRefuse(env)).toContain("OUTLOOK_ISSUER");
  expect(reasonToRefuse(complete)).toBeUndefined();
});
