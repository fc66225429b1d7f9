/** Conditions for the start of web and worker, and failures that must not stop them later. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { requestPasswordReset } from "#server/accounts/password-reset.ts";
import { builtCommandArguments, projectFolder } from "#server/operations/built-commands.mjs";
import { webArguments } from "#server/operations/web-arguments.ts";
import { makePerson } from "#tests/support/orders.ts";
import { freePorts } from "#tests/support/ports.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const started: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts a process of the store in addition to the stack's, with the given standard output. */
async function start(args: readonly string[], output: number | "pipe" = "pipe") {
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, [...args], {
    cwd: projectFolder,
    env: { ...stack.env, PORT: String(port) },
    stdio: ["ignore", output, "pipe"],
  });
  started.push(child);
  const url = `http://localhost:${port}`;
  return {
    child,
    url,
    said: child.stderr === null ? Promise.resolve("") : text(child.stderr),
    ended: once(child, "exit").then(([code, signal]) => code ?? signal),
    async answers(): Promise<void> {
      for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; await sleep(100)) {
        if (await fetch(url).then(Boolean, () => false)) return;
      }
      throw new Error("The server does not respond");
    },
  };
}

describe("the web process", () => {
  test("does not start without its preload, which protects addresses and the log", async () => {
    const bare = webArguments().slice(2);
    expect(bare[0]).toContain("@remix-run/serve");
    const { said, ended, url } = await start(bare);
    expect(await ended).toBe(1);
    expect(await said).toContain("Start it with: npm run serve");
    await expect(fetch(url)).rejects.toThrow();
  });

  test("does not start before its latest migration has run, and says what to run", async () => {
    const { rows } = await sql<{ name: string }>`
      delete from kysely_migration where name = (select max(name) from kysely_migration) returning name`.execute(
      context.db,
    );
    const name = rows[0]?.name ?? "";
    try {
      const { said, ended } = await start(webArguments());
      expect(await ended).toBe(1);
      expect(await said).toContain(`needs ${name}`);
      expect(await said).toContain("Run this first: npm run migrate");
    } finally {
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
        context.db,
      );
    }
  });

  test("starts on a database that a newer version has migrated", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', 'now')`.execute(
      context.db,
    );
    try {
      const web = await start(webArguments());
      await web.answers();
    } finally {
      await sql`delete from kysely_migration where name = '9999-from-the-future'`.execute(context.db);
    }
  });
});

describe("a full disk for the output", () => {
  const fullDisk = () => openSync("/dev/full", "w");

  test("keeps web serving until it is stopped", async () => {
    const web = await start(webArguments(), fullDisk());
    await web.answers();
    for (let request = 0; request < 20; request += 1) {
      const answer = await fetch(`${web.url}/health`, { signal: AbortSignal.timeout(5_000) });
      expect(answer.status).toBe(200);
    }
    web.child.kill("SIGTERM");
    expect(await web.ended).toBe(0);
  });

  test("keeps the worker working until it is stopped", async () => {
    const worker = await start(builtCommandArguments("worker"), fullDisk());
    await expectWorking();
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  });

  test("counts dropped lines in the next line that can be written", {
    tags: ["full"],
  }, async () => {
    // A pipe without a reader fills up; the next line written after reading reports the dropped ones.
    const web = await start([...webArguments()]);
    await web.answers();
    for (let request = 0; request < 600; request += 1) await fetch(`${web.url}/health`);
    const { stdout } = web.child;
    if (stdout === null) throw new Error("Expected an output stream");
    let heard = "";
    stdout.on("data", (chunk) => {
      heard += chunk;
    });
    await expect
      .poll(async () => {
        await fetch(`${web.url}/health`);
        return heard;
      })
      .toMatch(/"dropped":\d+,"msg":"log lines could not be written"/);
    for (const line of heard.split("\n").slice(1, -1)) if (line.startsWith("{")) JSON.parse(line);
  });
});

test("keeps a worker running whose log reader has gone, until it is stopped", async () => {
  const worker = await start(builtCommandArguments("worker"));
  await expectWorking();
  worker.child.stdout?.destroy();
  await expectWorking();
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
});

/** Expects the worker to send a queued mail. */
async function expectWorking(): Promise<void> {
  const { email } = await makePerson(context.db);
  await requestPasswordReset(context.db, email, "203.0.113.5");
  const sent = () =>
    context.db
      .selectFrom("mails")
      .select("id")
      .where("recipient", "=", email)
      .where("sent_at", "is not", null)
      .execute();
  await expect.poll(sent).toHaveLength(1);
}
