/** Queries on vendors' agreements: the version in force, and buyers' acceptances. */
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Version of an agreement in force, as the vendor names it. */
export interface AgreementVersion {
  version: string;
  /** Public address of the agreement; null when the vendor names none. */
  link: string | null;
}

/** Vendor and country of an agreement. */
export interface AgreementPlace {
  family: FamilyId;
  country: Country;
}

/** Returns the version that was last read; null before the vendor was first asked. */
export async function findAgreementVersion(
  db: Db,
  { family, country }: AgreementPlace,
): Promise<AgreementVersion | null> {
  const row = await db
    .selectFrom("agreement_versions")
    .select(["version", "link"])
    .where("family", "=", family)
    .where("country", "=", country)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveAgreementVersion(
  db: Db,
  { family, country }: AgreementPlace,
  { version, link }: AgreementVersion,
): Promise<void> {
  const heard = { version, link, seen_at: new Date() };
  await db
    .insertInto("agreement_versions")
    .values({ family, country, ...heard })
    .onConflict((oc) => oc.columns(["family", "country"]).doUpdateSet(heard))
    .execute();
}

export interface AgreementAcceptance {
  /** The agreement's name, as the buyer read it. */
  agreement: string;
  /** Null when the vendor could not say which version was in force. */
  version: string | null;
  acceptedAt: Date;
  person: { firstName: string; lastName: string; email: string; phoneNumber: string };
}

export async function insertAcceptance(
  trx: Trx,
  accepted: AgreementAcceptance & { orderId: OrderId; userId: UserId | null },
): Promise<void> {
  const { person } = accepted;
  await trx
    .insertInto("agreement_acceptances")
    .values({
      id: newId(),
      order_id: accepted.orderId,
      agreement: accepted.agreement,
      version: accepted.version,
      accepted_at: accepted.acceptedAt,
      user_id: accepted.userId,
      first_name: person.firstName,
      last_name: person.lastName,
      email: person.email,
      phone_number: person.phoneNumber,
    })
    .execute();
}

/** Returns the last acceptance of an order; null for an order placed before acceptances were stored. */
export async function findAcceptance(db: Db, orderId: OrderId): Promise<AgreementAcceptance | null> {
  const row = await db
    .selectFrom("agreement_acceptances")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("accepted_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    agreement: row.agreement,
    version: row.version,
    acceptedAt: row.accepted_at,
    person: {
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      phoneNumber: row.phone_number,
    },
  };
}
