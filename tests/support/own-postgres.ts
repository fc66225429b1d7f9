/** A separate PostgreSQL for a test: its own cluster in a temporary folder, where the server's programs are installed. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePorts } from "./ports.ts";
import { until } from "./until.ts";

const versions = "/usr/lib/postgresql";

/** Folder of the newest installed version's programs. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(versions, version, "bin"))
    .find((folder) => existsSync(path.join(folder, "initdb")));
}

/** User for the server: PostgreSQL refuses to run as root, so root starts it as the package's user. */
export function postgresUser(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export interface OwnPostgres {
  url: string;
  /** Stops it, and starts it again at the same address after this time in milliseconds. */
  restart(awayMs: number): Promise<void>;
  /** Makes a base backup of the cluster, from which a restore begins. Only with an archive. */
  backUp(): Promise<void>;
  /** Sends SIGKILL and deletes all data except the backup and the archive. */
  lose(): Promise<void>;
  /** Starts again at the same address, restored to a point in time. Call after `lose`. */
  restore(to: Date): Promise<void>;
  stop(): Promise<void>;
}

interface OwnPostgresOptions {
  /** Whether the write-ahead log is archived, at least every second. */
  archives?: boolean;
}

/** @param env added to this process's, for the server */
export async function startOwnPostgres(
  env: Record<string, string>,
  { archives = false }: OwnPostgresOptions = {},
): Promise<OwnPostgres> {
  const postgres = postgresPrograms();
  if (postgres === undefined) throw new Error(`There is no PostgreSQL in ${versions}`);
  const who = postgresUser();
  const folder = mkdtempSync(path.join(tmpdir(), "hubs-postgres-"));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
  const options = { ...who, cwd: folder };
  const [data = "", archive = "", copy = ""] = ["data", "archive", "copy"].map((name) =>
    path.join(folder, name),
  );
  const create = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8"];
  execFileSync(path.join(postgres, "initdb"), create, { ...options, stdio: "ignore" });
  const [port = 0] = await freePorts(1);
  const settings = ["-p", `${port}`, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  if (archives) {
    execFileSync("mkdir", [archive], options);
    const command = `archive_command=cp %p ${archive}/%f`;
    settings.push("-c", "archive_mode=on", "-c", command, "-c", "archive_timeout=1");
  }

  /** @returns a function that stops it */
  const begin = async (): Promise<(how?: NodeJS.Signals) => Promise<void>> => {
    const server = spawn(path.join(postgres, "postgres"), ["-D", data, ...settings], {
      ...options,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const ended = once(server, "exit");
    await until("PostgreSQL answers", async () => {
      const client = new pg.Client({ connectionString: url });
      const answers = await client.connect().then(
        () => true,
        () => false,
      );
      if (answers) await client.end();
      return answers;
    });
    // Fast shutdown: cuts the sessions.
    return async (how = "SIGINT") => {
      server.kill(how);
      await ended;
    };
  };

  let end = await begin();
  return {
    url,
    async restart(awayMs) {
      await end();
      await sleep(awayMs);
      end = await begin();
    },
    async backUp() {
      const from = ["-d", url, "-D", copy, "--wal-method=stream", "--checkpoint=fast", "--no-sync"];
      execFileSync(path.join(postgres, "pg_basebackup"), from, { ...options, stdio: "ignore" });
    },
    async lose() {
      await end("SIGKILL");
      // Its child processes notice that it is gone, and write a last time.
      await sleep(1_000);
      rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
    async restore(to) {
      execFileSync("cp", ["-a", copy, data], options);
      appendFileSync(
        path.join(data, "postgresql.auto.conf"),
        [
          `restore_command = 'cp ${archive}/%f %p'`,
          `recovery_target_time = '${to.toISOString().replace("T", " ").replace("Z", "+00")}'`,
          "recovery_target_action = 'promote'",
          "",
        ].join("\n"),
      );
      execFileSync("touch", [path.join(data, "recovery.signal")], options);
      end = await begin();
      await until("it is restored", async () => !(await isRecovering(url)));
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isRecovering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ is: boolean }>("select pg_is_in_recovery() as is");
    return rows[0]?.is !== false;
  } finally {
    await client.end();
  }
}
