/** A tenant that staff bound to a company: the method of its proof, what was seen, under which reference, and by whom. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table control_proofs
      drop constraint control_proofs_method_check,
      add constraint control_proofs_method_check check (method in ('made', 'sign-in', 'transfer-token', 'dns', 'staff')),
      add column evidence text,
      add column reference text,
      add column bound_by text,
      add constraint control_proofs_evidence check (
        (method = 'staff') = (evidence is not null and reference is not null and bound_by is not null))`.execute(
    db,
  );
  await sql`create index control_proofs_account on control_proofs (family, lower(tenant_external_id))`.execute(
    db,
  );
}
