/** CPU time of the web process and of its PostgreSQL sessions, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

/** CPU time in milliseconds. */
export interface Spent {
  /** All threads of the web process. */
  web: number;
  /** All sessions of its database; 0 where they run on another machine. */
  database: number;
}

export interface Meter {
  /** Cost of one request, during which nothing else may use the store. */
  spentOn(work: () => Promise<unknown>): Promise<Spent>;
  stop(): Promise<void>;
}

/** A pool opens and closes sessions over time. */
const listedAgainAfter = 20;

export async function startMeter({
  webPid,
  databaseUrl,
}: {
  webPid: number;
  databaseUrl: string;
}): Promise<Meter> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const list = async () => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => pid).filter(isPostgres);
  };
  let sessions = await list();
  let measured = 0;
  return {
    async spentOn(work) {
      measured += 1;
      if (measured % listedAgainAfter === 0) sessions = await list();
      const [web, database] = [cpuOf(webPid), sumOf(sessions)];
      await work();
      return { web: cpuOf(webPid) - web, database: Math.max(0, sumOf(sessions) - database) };
    },
    stop: () => client.end(),
  };
}

const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);

/** Sums the first figure of each thread's schedstat: nanoseconds on a CPU. A process or thread that ended counts 0. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const ns = orElse(() => readdirSync(tasks), []).map((thread) =>
    Number(orElse(() => readFileSync(`${tasks}/${thread}/schedstat`, "utf8"), "0").split(" ")[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

const isPostgres = (pid: number) =>
  orElse(() => readFileSync(`/proc/${pid}/comm`, "utf8"), "").startsWith("postgres");

function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
