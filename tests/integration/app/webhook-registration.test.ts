/** `npm run webhooks`: registers the store at its vendors, accepts their signed test and reports what is wrong. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { ProviderError } from "#server/integrations/errors.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const partnerCenter = context.partnerCenterOf("IN");
const address = `${stack.url}/webhooks/microsoft`;
const both = ["subscription-updated", "test-created"];

beforeEach(async () => {
  await controls.reset();
});

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const options = { env: { ...stack.env, LOG_LEVEL: "silent" } };
  return promisify(execFile)(process.execPath, builtCommandArguments("webhooks", ...args), options).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

test("registers and receives the vendor's signed test", async () => {
  const before = await run("check");
  expect(before.code).toBe(1);
  expect(before.out).toMatch(/Partner Center IN.*: not right\n +not registered/);
  expect(before.out).toContain("store@sandbox.example.com is not registered");

  const { code, out } = await run("register");
  expect(out).toMatch(
    /Partner Center IN, partner-in\.sandbox\.example: right\n.*\n +a test notice has arrived/,
  );
  expect(out).toMatch(/Partner Center US.*: right\n.*\n +a test notice has arrived/);
  expect(out).toContain(
    `gcloud pubsub subscriptions create store-notices --topic=projects/cloudchannel/topics/sandbox-reseller --push-endpoint=${stack.url}/webhooks/google --push-auth-service-account=push@sandbox.example.com --push-auth-token-audience=${stack.url}/webhooks/google --impersonate-service-account=store@sandbox.example.com`,
  );
  expect(code).toBe(0);
  expect(await partnerCenter.findNoticeRegistration()).toEqual({ url: address, events: both });
  const received = stack.logs("web").filter((line) => line.includes("a vendor has announced a change"));
  expect(received.filter((line) => line.includes("test-created"))).toHaveLength(2);
});

test("reports and corrects another address or missing events, keeping other events", async () => {
  await partnerCenter.registerNotices({ url: "https://old.example/x", events: ["invoice-ready"] }, true);
  const wrong = await run("check");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain(`the store is at ${address}`);
  expect(wrong.out).toContain(`not registered for ${both.join(", ")}`);
  expect((await run("register")).code).toBe(0);
  expect(await partnerCenter.findNoticeRegistration()).toEqual({
    url: address,
    events: ["invoice-ready", ...both],
  });
});

test("handles Partner Center's refusals: third test, unknown event, http address", async () => {
  const refused = (action: Promise<unknown>) =>
    action.then(
      () => null,
      (error: unknown) => (error instanceof ProviderError ? [error.kind, error.status] : error),
    );
  const register = (url: string, ...events: string[]) => partnerCenter.registerNotices({ url, events }, true);
  expect(await refused(register("http://shop.example/webhooks", ...both))).toEqual(["refused", 400]);
  expect(await refused(register(address, "made-up"))).toEqual(["refused", 400]);
  expect(await refused(partnerCenter.sendTestNotice())).toEqual(["refused", 404]);
  await register(address, "subscription-updated");
  expect(await refused(partnerCenter.sendTestNotice())).toEqual(["refused", 400]);
  await register(address, ...both);
  await partnerCenter.sendTestNotice();
  await partnerCenter.sendTestNotice();
  expect(await refused(partnerCenter.sendTestNotice())).toEqual(["transient", 429]);
  const { code, out } = await run("check");
  expect(out).toContain("no test sent: Microsoft allows 2 per minute");
  expect(code).toBe(1);
});
