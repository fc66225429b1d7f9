/** A PostgreSQL of a test's own: its own cluster in a temporary folder, where the server's programs are installed. */
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { freePorts } from "./ports.ts";
import { until } from "./waiting.ts";

const versions = "/usr/lib/postgresql";

/** The folder of the newest installed version's programs. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(versions, version, "bin"))
    .find((folder) => existsSync(path.join(folder, "initdb")));
}

/** PostgreSQL refuses to be started by root: then it is started as the user its package makes. */
export function whoRuns(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** @param env on top of this process's, for the server */
export async function startOwnPostgres(
  env: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(`There is no PostgreSQL in ${versions}`);
  const who = whoRuns();
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-postgres-"));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
  const options = { ...who, cwd: folder };
  const data = path.join(folder, "data");
  const create = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8"];
  execFileSync(path.join(programs, "initdb"), create, { ...options, stdio: "ignore" });
  const [port = 0] = await freePorts(1);
  const settings = ["-p", `${port}`, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server = spawn(path.join(programs, "postgres"), ["-D", data, ...settings], {
    ...options,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until("PostgreSQL answers", async () => {
    const client = new pg.Client({ connectionString: url });
    const answers = await client.connect().then(
      () => true,
      () => false,
    );
    if (answers) await client.end();
    return answers;
  });
  return {
    url,
    async stop() {
      // Fast shutdown: sessions are cut.
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
