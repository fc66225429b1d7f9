/**
 * At which provider an outside identity signs in, and the address by which its holder knows it again. All there were before are
 * Outlook's, as are those that an earlier version adds.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities add column provider text not null default 'outlook'`.execute(db);
  await sql`alter table identities add column email text`.execute(db);
  await sql`alter table identity_proofs add column provider text not null default 'outlook'`.execute(db);
}
