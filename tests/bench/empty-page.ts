/** The page for comparison: plain Remix with a single empty page, built and served like the store. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import { freePorts } from "#tests/support/ports.ts";

const folder = path.join(projectFolder, "tests/bench/blank-app");
const bin = (file: string) => path.join(projectFolder, "node_modules/@remix-run", file);

export async function startEmptyPage(): Promise<{ url: string; stop(): Promise<void> }> {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production" };
  const said: string[] = [];
  const onLine = (line: string) => {
    said.push(line);
  };
  const config = path.join(folder, "remix.config.js");
  const build = startChild({
    name: "build of the empty page",
    args: [bin("dev/dist/cli.js"), "vite:build", folder, "--config", config],
    env,
    onLine,
  });
  if ((await build.ended) !== "code 0") throw new Error(`The empty page was not built:\n${said.join("\n")}`);

  const [port = 0] = await freePorts(1);
  const server = startChild({
    name: "empty page",
    args: [bin("serve/dist/cli.js"), path.join(folder, "build/server/index.js")],
    env: { ...env, PORT: String(port) },
    onLine: () => undefined,
  });
  const url = `http://localhost:${port}`;
  await answers(url, server);
  return { url, stop: () => server.stop() };
}

async function answers(url: string, server: Child): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; await sleep(50)) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
  }
  await server.stop();
  throw new Error("The empty page does not answer.");
}
