/**
 * Data export of a user or a company as one zip: JSON of each table, and the documents as PDFs. A job writes it to the database
 * part by part, continues after a killed worker, and keeps one part in memory (docs/decisions/privacy.md#export-and-deletion).
 */
import { z } from "zod";
import { type BooksOwner, countBookDocuments, listBookDocuments } from "#db/billing/books.ts";
import { type CustomerId, type DataExportId, newId, type UserId } from "#db/ids.ts";
import {
  type DataExport,
  type ExportedFile,
  type ExportScope,
  exportedTables,
  findDataExport,
  insertDataExport,
  listDataExports,
  markExportReady,
  readExportFile,
  readExportRows,
  saveExportPart,
} from "#db/privacy/data-exports.ts";
import type { DataSubject } from "#db/privacy/personal-subject.ts";
import type { Db } from "#db/tables/index.ts";
import { findMembership, requireMember } from "#server/accounts/customers.ts";
import { requireVerifiedEmail } from "#server/accounts/email-verification.ts";
import { findUser } from "#server/accounts/users.ts";
import { documentFile } from "#server/billing/documents/document-zip.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { brand } from "#server/foundation/brand.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { type FileInZip, zipOf } from "#server/foundation/zip.ts";
import type { Context } from "#server/platform/context.ts";

export type { DataExport };

const day = 24 * 3_600;
/** Days for which an export can be downloaded, and the longest time that it may take. */
export const exportDays = 7;
/** Rows of a table, and documents, that are written at a time. */
const rowsAtOnce = 500;
const documentsAtOnce = 20;
/** Longest run of a job before it yields to others. */
const maxRunMs = 20_000;
const forEver = { from: new Date(0), before: new Date("9999-01-01T00:00:00Z") };

/** Position at which writing continues. */
const placeSchema = z.discriminatedUnion("what", [
  z.object({
    what: z.literal("rows"),
    table: z.string(),
    /** Cursor: key of the previous batch's last row; null for the first batch. */
    after: z.string().nullable(),
    part: z.int(),
  }),
  z.object({ what: z.literal("documents"), after: z.object({ at: z.number(), id: z.string() }).nullable() }),
  z.object({ what: z.literal("end") }),
]);
type Place = z.infer<typeof placeSchema>;

/** Returns the scope of an export's rows, and the owner of its documents. */
function scopeOf({ customerId, userId }: Pick<DataExport, "customerId" | "userId">): {
  scope: ExportScope;
  owner: BooksOwner;
} {
  return customerId === null
    ? { scope: "own", owner: { userId } }
    : { scope: "company", owner: { customerId } };
}

/**
 * Requests an export of the requester's own data, or of a company that the requester owns. An export in progress continues instead.
 * @throws DomainError forbidden without a proven mailbox, or for a company that the requester does not own; rate_limited after three a day
 */
export async function requestExport(
  db: Db,
  input: { userId: UserId; customerId: CustomerId | null; now: Date },
): Promise<void> {
  const { userId, customerId, now } = input;
  await requireVerifiedEmail(db, userId);
  if (customerId !== null) await requireMember(db, userId, customerId, ["owner"]);
  const before = await listDataExports(db, userId, now);
  if (before.some((each) => each.state === "running" && each.customerId === customerId)) return;
  await consumeRateLimit(db, { name: "my-data", key: userId, limit: 3, windowSeconds: day });
  const { scope, owner } = scopeOf(input);
  const tables = exportedTables(scope);
  const documents = await countBookDocuments(db, owner, forEver);
  const id = newId<DataExportId>();
  await db.transaction().execute(async (trx) => {
    if (customerId !== null) await requireMember(trx, userId, customerId, ["owner"]);
    await insertDataExport(trx, {
      id,
      userId,
      customerId,
      place: firstPlace(scope),
      planned: tables.length + documents,
      askedAt: now,
      expiresAt: new Date(now.getTime() + exportDays * day * 1_000),
    });
    await recordAudit(trx, { userId, action: "data.export", subject: subjectOf(input) });
    await addJob(trx, "export-data", { exportId: id }, { jobKey: `export-data:${id}` });
  });
}

const subjectOf = ({ userId, customerId }: Pick<DataExport, "userId" | "customerId">) =>
  customerId === null ? `user:${userId}` : `customer:${customerId}`;

function firstPlace(scope: ExportScope): Place {
  return rowsOf(exportedTables(scope)[0]);
}

function rowsOf(table: string | undefined): Place {
  return table === undefined
    ? { what: "documents", after: null }
    : { what: "rows", table, after: null, part: 1 };
}

/** Runs the export job: writes parts until the export is ready, or until it yields to other jobs and is queued again. */
export async function exportData({ db, log }: Context, id: DataExportId): Promise<void> {
  const until = Date.now() + maxRunMs;
  for (;;) {
    const dataExport = await findDataExport(db, id);
    if (dataExport === null || dataExport.state === "ready") return;
    const place = placeSchema.parse(dataExport.place);
    if (place.what === "end") return finish(db, dataExport);
    const part = await partAt(db, dataExport, place);
    const isSaved = await db.transaction().execute((trx) => saveExportPart(trx, dataExport, part));
    // Another worker presumed this one dead and has taken the export over.
    if (!isSaved) return log.info({ exportId: id }, "an export is written by another worker");
    if (Date.now() > until) {
      const options = { jobKey: `export-data:${id}` };
      return db.transaction().execute((trx) => addJob(trx, "export-data", { exportId: id }, options));
    }
  }
}

interface Part {
  files: ExportedFile[];
  done: number;
  place: Place;
}

async function partAt(db: Db, dataExport: DataExport, place: Exclude<Place, { what: "end" }>): Promise<Part> {
  return place.what === "rows" ? rowsPart(db, dataExport, place) : documentsPart(db, dataExport, place);
}

async function rowsPart(
  db: Db,
  dataExport: DataExport,
  { table, after, part }: Extract<Place, { what: "rows" }>,
): Promise<Part> {
  const { scope } = scopeOf(dataExport);
  const tables = exportedTables(scope);
  const names: readonly string[] = tables;
  const index = names.indexOf(table);
  const known = tables[index];
  // A newer version may have dropped the table.
  if (known === undefined) return { files: [about(dataExport)], done: 0, place: rowsOf(undefined) };
  const of = await subjectIn(db, dataExport);
  const { rows, next } = await readExportRows(db, known, { scope, of, after, limit: rowsAtOnce });
  const name = `data/${known}${part === 1 && next === null ? "" : `-${String(part).padStart(4, "0")}`}.json`;
  const files = [
    ...(dataExport.files === 0 ? [about(dataExport)] : []),
    jsonFile(name, { table: known, rows }),
  ];
  return next === null
    ? { files, done: 1, place: rowsOf(tables[index + 1]) }
    : { files, done: 0, place: { what: "rows", table: known, after: next, part: part + 1 } };
}

async function documentsPart(
  db: Db,
  dataExport: DataExport,
  { after }: Extract<Place, { what: "documents" }>,
): Promise<Part> {
  const { owner } = scopeOf(dataExport);
  const { rows, next } = await listBookDocuments(db, owner, forEver, { after, limit: documentsAtOnce });
  const files: ExportedFile[] = [];
  for (const document of rows) {
    const { file } = await documentFile(db, document);
    if (file !== null) files.push({ ...file, name: `documents/${file.name}` });
  }
  const place: Place = next === null ? { what: "end" } : { what: "documents", after: next };
  return { files, done: rows.length, place };
}

function jsonFile(name: string, content: object): ExportedFile {
  return { name, at: new Date(), bytes: new TextEncoder().encode(`${JSON.stringify(content, null, 1)}\n`) };
}

/** Describes the files, for a reader who has only the zip. */
function about(dataExport: DataExport): ExportedFile {
  const { scope } = scopeOf(dataExport);
  return jsonFile("about.json", {
    store: brand.name,
    of: subjectOf(dataExport),
    askedAt: dataExport.askedAt.toISOString(),
    files: {
      "data/{table}.json":
        'What is stored, a file a table, or several that are numbered: {"table", "rows"}. A row has its columns by name, amounts in hundredths.',
      "documents/{name}.pdf":
        "Invoices and credit notes, as they were issued. Those of a company are in its own export.",
    },
    tables: exportedTables(scope),
    leftOut: "Secrets that give access, such as password hashes, and information about other people.",
  });
}

async function subjectIn(db: Db, { userId, customerId }: DataExport): Promise<DataSubject> {
  const user = await findUser(db, userId);
  return {
    userId,
    email: user?.email.toLowerCase() ?? "",
    customerIds: customerId === null ? [] : [customerId],
    names: [],
  };
}

async function finish(db: Db, { id, userId, customerId }: DataExport): Promise<void> {
  const readyAt = new Date();
  const expiresAt = new Date(readyAt.getTime() + exportDays * day * 1_000);
  const user = await findUser(db, userId);
  await db.transaction().execute(async (trx) => {
    if (!(await markExportReady(trx, id, { readyAt, expiresAt })) || user === null) return;
    await queueOwnMail(trx, {
      kind: "data-export",
      dedupeKey: `data-export:${id}`,
      userId,
      data: { until: expiresAt.toISOString(), whose: customerId === null ? "own" : "company" },
    });
  });
}

/** Lists a user's current exports, newest first. */
export function exportsOf(db: Db, userId: UserId, now: Date): Promise<DataExport[]> {
  return listDataExports(db, userId, now);
}

/**
 * Opens an export's zip for its requester only; a company's export only while the requester is its owner.
 * @throws DomainError not_found for any other user, before it is ready, and after it has expired
 */
export async function openExport(
  db: Db,
  id: DataExportId,
  { userId, now }: { userId: UserId; now: Date },
): Promise<{ name: string; pieces: AsyncGenerator<Uint8Array> }> {
  const dataExport = await findDataExport(db, id);
  if (
    dataExport === null ||
    dataExport.userId !== userId ||
    dataExport.state !== "ready" ||
    dataExport.expiresAt <= now
  )
    throw notFound();
  const { customerId, askedAt } = dataExport;
  if (customerId !== null && (await findMembership(db, userId, customerId))?.role !== "owner")
    throw notFound();
  const whose = customerId === null ? "my" : "company";
  const name = `${whose}-data-${askedAt.toISOString().slice(0, 10)}.zip`;
  return { name, pieces: zipOf(filesOf(db, dataExport)) };
}

/** Yields files one at a time, so that only the file being sent is in memory. */
async function* filesOf(db: Db, { id, files }: DataExport): AsyncGenerator<FileInZip> {
  for (let position = 0; position < files; position += 1) {
    const file = await readExportFile(db, id, position);
    if (file === null) throw new DomainError("not_found", msg("myData.over"));
    yield file;
  }
}
