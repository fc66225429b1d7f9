/**
 * Rewrites the emails of billing contacts and invitations that were stored before forms folded them, as
 * 2026-11-29T62-texts-as-seen did for accounts. A company has each email once: where two turn out alike, the later row keeps its bytes,
 * and `spelling_collisions` lists both.
 *
 * It reads the tables without a lock, a page at a time, and changes the few rows that differ, each by its id.
 */
import { type Kysely, sql } from "kysely";

/** For each table: the kind of its collisions, and the rows among which an email is unique. */
const tables = {
  billing_contacts: { kind: "billing-contact", unique: sql<boolean>`true` },
  member_invites: { kind: "invitation", unique: sql<boolean>`accepted_at is null and withdrawn_at is null` },
} as const;
type Table = keyof typeof tables;
interface Row {
  id: string;
  email: string;
}

const pageSize = 1_000;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table spelling_collisions
      drop constraint spelling_collisions_kind_check,
      add constraint spelling_collisions_kind_check check (kind in
        ('email', 'staff-email', 'company-name', 'gstin', 'billing-contact', 'invitation')) not valid`.execute(
    db,
  );
  for (const table of ["billing_contacts", "member_invites"] as const)
    for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
      const rows = await candidates(db, table, after);
      for (const row of rows) await rewrite(db, table, row);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
}

/** Rows whose email is not plain ASCII without blanks. */
async function candidates(db: Kysely<unknown>, table: Table, after: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, email from ${sql.table(table)}
    where id > ${after} and email !~ '^[!-~]*$'
    order by id limit ${pageSize}`.execute(db);
  return rows;
}

async function rewrite(db: Kysely<unknown>, table: Table, { id, email }: Row): Promise<void> {
  const seen = singleLine(email);
  if (seen === email) return;
  const { kind, unique } = tables[table];
  const { numAffectedRows: twins = 0n } = await sql`
    insert into spelling_collisions (kind, row_id, other_id)
    select ${kind}, ${id}::uuid, other.id
    from (select customer_id from ${sql.table(table)} where id = ${id}::uuid and ${unique}) own
      join ${sql.table(table)} other using (customer_id)
    where lower(other.email) = lower(${seen}) and other.id <> ${id}::uuid and ${unique}`.execute(db);
  if (twins > 0n) return;
  await sql`update ${sql.table(table)} set email = ${seen} where id = ${id}`.execute(db);
}

const scripts = "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Tamil Telugu";
const letter = `(?=[\\p{L}\\p{M}])[${scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)}]`;
const virama = "[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]";
const joiner = `(?<=${virama})\\u200D|(?<=${letter})[\\u200C\\u200D](?=${letter})`;
const kept = `${joiner}|(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]`;
const unseen = "[\\s\\p{Z}\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFB]";
const foldable = new RegExp(`(?:(?!${kept})${unseen})+`, "gu");

/** As forms fold a text on the day of this migration; control characters, which they refuse, become a blank. */
export function singleLine(text: string): string {
  const joined = text.normalize("NFC").replaceAll(/([\u200C\u200D])[\u200C\u200D]+/gu, "$1");
  return joined.replaceAll(foldable, " ").trim().normalize("NFC");
}
