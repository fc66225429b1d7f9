/** Sessions of a database that wait for locks. Only on PostgreSQL: the embedded database has one session. */
import type pg from "pg";

/**
 * Number of this database's statements that wait for a lock. Queried outside a transaction, which would always see the same
 * result.
 */
export async function waitingForLock(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
  );
  return rows[0]?.waiting ?? 0;
}
