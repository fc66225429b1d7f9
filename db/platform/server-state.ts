/** State of the PostgreSQL server: its clock, connections and archive. Every statement reads only the server's views. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

/** Reads the database's own time, by which jobs become due. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database does not say what time it is");
  return row.now;
}

export interface ServerConnections {
  /** Maximum number of connections of clients without special rights. */
  most: number;
  /** Present connections to other databases. */
  elsewhere: number;
}

export async function readConnections(db: Db): Promise<ServerConnections> {
  const { rows } = await sql<ServerConnections>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity
        where datname is not null and datname <> current_database()) as elsewhere`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database does not say how many connections it has");
  return row;
}

export interface ArchiveState {
  /** Whether the write-ahead log is archived. */
  isOn: boolean;
  archivedAt: Date | null;
  failedAt: Date | null;
}

/** Reads the state of the write-ahead log's archive; null if we have no permission. */
export async function readArchive(db: Db): Promise<ArchiveState | null> {
  try {
    const { rows } = await sql<ArchiveState>`
      select coalesce(current_setting('archive_mode', true), 'off') <> 'off' as "isOn",
        last_archived_time as "archivedAt", last_failed_time as "failedAt"
      from pg_stat_archiver`.execute(db);
    return rows[0] ?? null;
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}

/** Whether permission is missing: a managed database hides some of its views, or has none of them. */
function isForbidden(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "42501" || code === "42P01";
}
