/** Queries on data exports: the request, its progress, its files, and the rows that go into them. */
import { sql } from "kysely";
import type { CustomerId, DataExportId, UserId } from "#db/ids.ts";
import type { Database, Db, Trx } from "#db/tables/index.ts";
import { type PersonalDataPolicy, personalData, personalTables } from "./personal-data.ts";
import type { DataSubject } from "./personal-subject.ts";

export interface DataExport {
  id: DataExportId;
  userId: UserId;
  customerId: CustomerId | null;
  state: "running" | "ready";
  /** Position at which writing continues, as stored. */
  place: unknown;
  files: number;
  done: number;
  planned: number;
  askedAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
}

const stored = (db: Db) =>
  db
    .selectFrom("data_exports")
    .select([
      "id",
      "user_id as userId",
      "customer_id as customerId",
      "state",
      "place",
      "files",
      "done",
      "planned",
      "asked_at as askedAt",
      "ready_at as readyAt",
      "expires_at as expiresAt",
    ]);

export async function findDataExport(db: Db, id: DataExportId): Promise<DataExport | null> {
  return (await stored(db).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Lists a user's current exports, newest first. */
export function listDataExports(db: Db, userId: UserId, now: Date): Promise<DataExport[]> {
  return stored(db)
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("asked_at", "desc")
    .limit(10)
    .execute();
}

export async function insertDataExport(
  trx: Trx,
  input: Pick<DataExport, "id" | "userId" | "customerId" | "planned" | "askedAt" | "expiresAt"> & {
    place: object;
  },
): Promise<void> {
  await trx
    .insertInto("data_exports")
    .values({
      id: input.id,
      user_id: input.userId,
      customer_id: input.customerId,
      state: "running",
      place: JSON.stringify(input.place),
      planned: input.planned,
      asked_at: input.askedAt,
      ready_at: null,
      expires_at: input.expiresAt,
    })
    .execute();
}

export interface ExportedFile {
  name: string;
  at: Date;
  bytes: Uint8Array;
}

/**
 * Stores the files of a part and the start of the next.
 * @returns false when another worker was first; nothing is stored then
 */
export async function saveExportPart(
  trx: Trx,
  { id, files: position, done }: Pick<DataExport, "id" | "files" | "done">,
  part: { files: readonly ExportedFile[]; done: number; place: object },
): Promise<boolean> {
  const moved = await trx
    .updateTable("data_exports")
    .set({
      place: JSON.stringify(part.place),
      files: position + part.files.length,
      done: done + part.done,
    })
    .where("id", "=", id)
    .where("state", "=", "running")
    .where("files", "=", position)
    .where("done", "=", done)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) return false;
  if (part.files.length > 0)
    await trx
      .insertInto("data_export_files")
      .values(
        part.files.map(({ name, at, bytes }, index) => ({
          export_id: id,
          position: position + index,
          name,
          made_at: at,
          bytes,
        })),
      )
      .execute();
  return true;
}

/** @returns false when it was already ready */
export async function markExportReady(
  trx: Trx,
  id: DataExportId,
  times: { readyAt: Date; expiresAt: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable("data_exports")
    .set({ state: "ready", ready_at: times.readyAt, expires_at: times.expiresAt })
    .where("id", "=", id)
    .where("state", "=", "running")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Returns the file at a position; null beyond the last. */
export async function readExportFile(
  db: Db,
  id: DataExportId,
  position: number,
): Promise<ExportedFile | null> {
  const row = await db
    .selectFrom("data_export_files")
    .select(["name", "made_at as at", "bytes"])
    .where("export_id", "=", id)
    .where("position", "=", position)
    .executeTakeFirst();
  return row ?? null;
}

/** Owner of an export's rows: a user or a company. */
export type ExportScope = "own" | "company";

/** Lists the tables that an export of that scope contains. */
export function exportedTables(scope: ExportScope): (keyof Database)[] {
  return personalTables.filter((table) => personalData[table][scope] !== undefined);
}

/**
 * Returns a part of a table's rows about a user or company, as JSON. @param after the key of the previous part's last row; null
 * for the first part
 */
export async function readExportRows(
  db: Db,
  table: keyof Database,
  query: { scope: ExportScope; of: DataSubject; after: string | null; limit: number },
): Promise<{ rows: unknown[]; next: string | null }> {
  const holding: PersonalDataPolicy = personalData[table];
  const where = holding[query.scope];
  if (where === undefined || holding.key === undefined) return { rows: [], next: null };
  const { key, hidden = [] } = holding;
  const place = query.after === null ? sql`true` : sql`${key} collate "C" > ${query.after}`;
  const { rows } = await sql<{ key: string; row: unknown }>`
    select ${key} as key, to_jsonb(t) - ${sql.val([...hidden])}::text[] as row
    from ${sql.table(table)} t where ${where(query.of)} and ${place}
    order by ${key} collate "C" limit ${query.limit + 1}`.execute(db);
  const page = rows.slice(0, query.limit);
  return {
    rows: page.map(({ row }) => row),
    next: rows.length > query.limit ? (page.at(-1)?.key ?? null) : null,
  };
}
