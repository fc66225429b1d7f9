/**
 * Rewrites texts that were stored before forms folded them: on one line, with one blank between words, in Unicode NFC, and without a
 * placeholder in place of a last name or a second line of an address. Emails, companies and GSTINs that turn out alike are listed in
 * `spelling_collisions`, and nothing is merged.
 *
 * It reads the tables without a lock and changes the few rows that differ, each by its id.
 */
import { type Kysely, sql } from "kysely";

/** The columns with people's texts, by table. Issued documents keep theirs. */
const columns = {
  users: ["email", "first_name", "last_name"],
  customers: ["name"],
  addresses: ["add1", "add2", "city", "email", "first_name", "last_name", "gst_code"],
  staff: ["email"],
  orders: ["po_number", "cost_centre", "buyer_note"],
} as const;
type Table = keyof typeof columns;
type Row = Record<string, string | null> & { id: string };

const pageSize = 1_000;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table spelling_collisions (
      kind text not null check (kind in ('email', 'staff-email', 'company-name', 'gstin')),
      row_id uuid not null,
      other_id uuid not null,
      found_at timestamptz not null default now(),
      primary key (kind, row_id, other_id)
    )`.execute(db);
  for (const table of ["users", "customers", "addresses", "staff", "orders"] as const)
    for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
      const rows = await candidates(db, table, after);
      for (const row of rows) await rewrite(db, table, row);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
}

/** Rows in which a text is not plain ASCII with single blanks, or may be a placeholder. */
async function candidates(db: Kysely<unknown>, table: Table, after: string): Promise<Row[]> {
  const unclear = columns[table].map((column) => {
    const mayBeNothing =
      column === "last_name" || column === "add2"
        ? sql`or ${sql.ref(column)} ~* '^([^a-z0-9]+|n[ /]?a|n\.a\.?|none|nil)[.-]*$'`
        : sql``;
    const isLoose = column === "gst_code" ? sql`!~ '^[0-9A-Z]*$'` : sql`!~ '^([!-~]+( [!-~]+)*)?$'`;
    return sql`(${sql.ref(column)} ${isLoose} ${mayBeNothing})`;
  });
  const { rows } = await sql<Row>`
    select id, ${sql.join(columns[table].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where id > ${after} and (${sql.join(unclear, sql` or `)})
    order by id limit ${pageSize}`.execute(db);
  return rows;
}

async function rewrite(db: Kysely<unknown>, table: Table, row: Row): Promise<void> {
  for (const column of columns[table]) {
    const stored = row[column] ?? null;
    if (stored === null) continue;
    const seen = seenText(column, stored, row);
    if (seen === stored) continue;
    const isFree = await noteCollisions(db, table, { id: row.id, column, seen });
    if (!isFree) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${seen} where id = ${row.id}`.execute(db);
  }
}

/** @returns false where the text is unique and another row has it */
async function noteCollisions(
  db: Kysely<unknown>,
  table: Table,
  { id, column, seen }: { id: string; column: string; seen: string },
): Promise<boolean> {
  if (column === "email" && (table === "users" || table === "staff")) {
    const kind = table === "users" ? "email" : "staff-email";
    const { numAffectedRows = 0n } = await sql`
      insert into spelling_collisions (kind, row_id, other_id)
      select ${kind}, ${id}::uuid, other.id from ${sql.table(table)} other
      where lower(other.email) = lower(${seen}) and other.id <> ${id}::uuid`.execute(db);
    return numAffectedRows === 0n;
  }
  if (table === "customers")
    await sql`
      insert into spelling_collisions (kind, row_id, other_id)
      select 'company-name', ${id}::uuid, other.id from customers other
      where lower(other.name) = lower(${seen}) and other.id <> ${id}::uuid
      on conflict do nothing`.execute(db);
  if (column === "gst_code")
    await sql`
      insert into spelling_collisions (kind, row_id, other_id)
      select 'gstin', own.customer_id, other.customer_id
      from addresses own join addresses other on other.gst_code = ${seen} and other.customer_id <> own.customer_id
      where own.id = ${id}::uuid
      on conflict do nothing`.execute(db);
  return true;
}

function seenText(column: string, stored: string, row: Row): string {
  const text = singleLine(stored);
  if (column === "gst_code") return text.replace(/[\s.\p{Pd}\p{Cf}]/gu, "").toUpperCase();
  if (!placeholder.test(text)) return text;
  if (column === "last_name") return "";
  return column === "add2" ? singleLine(row.city ?? "") : text;
}

const placeholder =
  /^(?:[^\p{L}\p{N}]+|(?:NA|na|N\/[Aa]|n\/a|N\.A\.?|n\.a\.?|N A|[Nn]one|NONE|[Nn]il|NIL)[.-]*)$/u;

const scripts = "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Tamil Telugu";
const letter = `(?=[\\p{L}\\p{M}])[${scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)}]`;
const virama = "[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]";
const joiner = `(?<=${virama})\\u200D|(?<=${letter})[\\u200C\\u200D](?=${letter})`;
const kept = `${joiner}|(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]`;
const unseen = "[\\s\\p{Z}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFB]";
const foldable = new RegExp(`(?:(?!${kept})${unseen})+`, "gu");

/** As forms fold a text on the day of this migration; control characters, which they refuse, become a blank. */
function singleLine(text: string): string {
  const joined = text.normalize("NFC").replaceAll(/([\u200C\u200D])[\u200C\u200D]+/gu, "$1");
  return joined.replaceAll(foldable, " ").trim().normalize("NFC");
}
