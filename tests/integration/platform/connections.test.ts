/** Connections of web and worker, recorded at the socket during purchases, sign-ins, PDFs and mails. */
import path from "node:path";
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { readEnv } from "#server/platform/env.ts";
import { buySubscription } from "#tests/support/bought-subscription.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { startStore } from "#tests/support/store.ts";
import { projectFolder } from "#tests/support/tree.ts";
import { until } from "#tests/support/until.ts";

const watcher = path.join(projectFolder, "tests/support/watch-connections.mjs");
const store = await startStore({ worker: true, env: { NODE_OPTIONS: `--import ${watcher}` } });
const { stack, controls } = store;

/** @returns "address port" of every connection that a process has opened, without duplicates */
function connectionsOf(name: "web" | "worker"): string[] {
  const lines = stack.logs(name).flatMap((line) => /: connects to (\S+ \d+)$/.exec(line)?.[1] ?? []);
  return [...new Set(lines)].sort();
}

test("connects web and worker only to the destinations of their settings", async () => {
  const { email, browser, orderId } = await buySubscription(store);
  await buySubscription(store, { family: "google" });
  await signInWith("outlook", new HttpBrowser(stack.url), { person: "nina" });
  await signInWith("google", new HttpBrowser(stack.url), { person: "gita" });
  await until("a mail has arrived", async () => (await controls.inbox(email)).length > 0);
  await until(
    "the invoice has a PDF",
    async () => (await browser.get(paths.invoicePdf(orderId))).status === 200,
  );

  const { hosts, mailServer } = destinationsOf(readEnv(stack.env));
  const here = [...hosts, mailServer].filter((each) => /^(localhost|127\.0\.0\.1):/.test(each ?? ""));
  const ports = [...new Set(here.map((each) => each?.split(":")[1]))];
  const permitted = ["127.0.0.1", "::1"].flatMap((address) => ports.map((port) => `${address} ${port}`));
  const [web, worker] = [connectionsOf("web"), connectionsOf("worker")];
  for (const connected of [web, worker])
    expect(connected.filter((each) => !permitted.includes(each))).toEqual([]);
  // Proves that the watcher works: database, providers and, for the worker, mail.
  const portsIn = (all: string[]) => new Set(all.map((each) => each.split(" ")[1])).size;
  expect([portsIn(web), portsIn(worker)]).toEqual([2, 3]);
});
