/** What other sessions of a database wait for. On PostgreSQL alone: the embedded database has one session. */
import type pg from "pg";

/** How many statements of this database wait for a lock. */
export async function waitingForLock(session: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await session.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
  );
  return rows[0]?.waiting ?? 0;
}
