/** Prints the state to look at when a drill leaves something stuck, while it still exists. */
import { sql } from "kysely";
import type { Fleet } from "#tests/support/fleet.ts";

/** Number of lines per process. */
const lastLines = 200;

/** Prints the holders of jobs, the open sign-ins, the database's sessions, and the last output of the fleet's processes. */
export async function tellOfStuck({ context, webs, workers }: Fleet): Promise<void> {
  const looks = {
    jobs: sql`select id, task_identifier, attempts, locked_by, locked_at, run_at, last_error from graphile_worker.jobs order by locked_at`,
    orders: sql`
      select orders.id, fulfilment_status, order_runs.begun_at, last_error, orders.updated_at from orders
      left join fulfilments on fulfilments.order_id = orders.id left join order_runs on order_runs.order_id = orders.id
      where paid_at is not null and fulfilment_status <> 'done'`,
    signatures: sql`select * from worker_heartbeats`,
    sessions: sql`
      select pid, state, wait_event_type, wait_event, xact_start, query_start, pg_blocking_pids(pid) as blocked_by, left(query, 200) as query
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  };
  for (const [name, look] of Object.entries(looks)) {
    const { rows } = await look.execute(context.db);
    process.stderr.write(`${name}:\n${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  }
  for (const { name, lines, pid } of [...workers, ...webs])
    process.stderr.write(`${name}, now ${pid()}:\n${lines.slice(-lastLines).join("\n")}\n`);
}
