/** Queries on mails: requested, sent and refused. */
import { type RawBuilder, sql } from "kysely";
import { type MailId, newId, type OrderId, type UserId } from "#db/ids.ts";
import {
  afterCursor,
  type Cursor,
  type Direction,
  microsecondsOf,
  type PageOfRows,
  pageOf,
} from "#db/keyset.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A mail that was requested. */
export interface Mail {
  id: MailId;
  kind: MailKind;
  recipient: string;
  userId: UserId | null;
  orderId: OrderId | null;
  /** Data for the text, as requested. */
  data: unknown;
  createdAt: Date;
}

/** Returns null when the mail was sent or permanently refused: there is nothing left to do. */
export async function findUnsentMail(db: Db, id: MailId): Promise<Mail | null> {
  const row = await db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "user_id as userId", "order_id as orderId", "data"])
    .select("created_at as createdAt")
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where("refused_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns its id, or null when a mail with this key was already requested, so that nothing is written */
export async function insertMail(
  trx: Trx,
  mail: Pick<Mail, "kind" | "recipient" | "userId" | "orderId" | "data"> & { id?: MailId; dedupeKey: string },
): Promise<MailId | null> {
  const { id = newId<MailId>() } = mail;
  const result = await trx
    .insertInto("mails")
    .values({
      id,
      kind: mail.kind,
      dedupe_key: mail.dedupeKey,
      recipient: mail.recipient,
      user_id: mail.userId,
      order_id: mail.orderId,
      data: JSON.stringify(mail.data),
    })
    .onConflict((oc) => oc.column("dedupe_key").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? id : null;
}

export async function markMailSent(db: Db, id: MailId): Promise<void> {
  await db.updateTable("mails").set({ sent_at: sql`now()` }).where("id", "=", id).execute();
}

/** @param reason the recipient server's reply */
export async function markMailRefused(db: Db, id: MailId, reason: string): Promise<void> {
  await db
    .updateTable("mails")
    .set({ refused_at: sql`now()`, last_error: reason })
    .where("id", "=", id)
    .execute();
}

/** Marks a mail that is not sent because its address is suppressed. @param reason as text */
export async function markMailWithheld(db: Db, id: MailId, reason: string): Promise<void> {
  await db
    .updateTable("mails")
    .set({ refused_at: sql`now()`, withheld: true, last_error: reason })
    .where("id", "=", id)
    .execute();
}

/** Returns those of the keys that belong to mails already requested. */
export async function findMailKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.selectFrom("mails").select("dedupe_key").where("dedupe_key", "in", keys).execute();
  return new Set(rows.map((row) => row.dedupe_key));
}

/**
 * waiting: not sent yet; refused: refused permanently and immediately by its server; bounced: accepted by a server, and returned
 * later; withheld: not sent, because its address is suppressed, or its reader has switched mails of its kind off.
 */
export type MailState = "waiting" | "sent" | "refused" | "bounced" | "withheld";

/** A mail of the log with its state, without its data. */
export interface LoggedMail extends Omit<Mail, "data"> {
  state: MailState;
  sentAt: Date | null;
  /** Time at which it was refused, bounced or was withheld. */
  refusedAt: Date | null;
  /** Reason for the refusal, by the server's codes. */
  lastError: string | null;
}

export interface MailQuery {
  /** An address, in any case. */
  recipient: string | null;
  kind: MailKind | null;
  state: MailState | null;
  orderId: OrderId | null;
  /** End of the previous page, or null for the first page. */
  after: Cursor | null;
  /** Rows per page. */
  limit: number;
  /** Direction by request time; newest first when left out. */
  direction?: Direction;
}

const stateOfMail = sql<MailState>`
  case when mails.withheld then 'withheld'
    when mails.refused_at is not null and mails.sent_at is not null then 'bounced'
    when mails.refused_at is not null then 'refused'
    when mails.sent_at is not null then 'sent' else 'waiting' end`;

/** Conditions for each state, written so that an index can answer them. */
const mailsIn: Readonly<Record<MailState, RawBuilder<boolean>>> = {
  waiting: sql`mails.sent_at is null and mails.refused_at is null`,
  sent: sql`mails.sent_at is not null and mails.refused_at is null`,
  refused: sql`mails.refused_at is not null and mails.sent_at is null and not mails.withheld`,
  bounced: sql`mails.refused_at is not null and mails.sent_at is not null`,
  withheld: sql`mails.refused_at is not null and mails.withheld`,
};

const logged = (db: Db) =>
  db
    .selectFrom("mails")
    .select(["mails.id", "mails.kind", "mails.recipient", "mails.user_id as userId"])
    .select(["mails.order_id as orderId", "mails.created_at as createdAt", "mails.sent_at as sentAt"])
    .select(["mails.refused_at as refusedAt", "mails.last_error as lastError", stateOfMail.as("state")]);

/** A mail of a list, with the number of its order. */
export interface ListedMail extends LoggedMail {
  order: { id: OrderId; number: number; createdAt: Date } | null;
}

/** Returns a page of requested mails, newest first. */
export async function listMails(db: Db, query: MailQuery): Promise<PageOfRows<ListedMail>> {
  const { recipient, kind, state, orderId, after, limit, direction = "desc" } = query;
  let mails = logged(db).leftJoin("orders", "orders.id", "mails.order_id");
  if (recipient !== null)
    mails = mails.where(sql<string>`lower(mails.recipient)`, "=", recipient.toLowerCase());
  if (kind !== null) mails = mails.where("mails.kind", "=", kind);
  if (orderId !== null) mails = mails.where("mails.order_id", "=", orderId);
  if (state !== null) mails = mails.where(mailsIn[state]);
  if (after !== null)
    mails = mails.where(afterCursor(after, { at: "mails.created_at", id: "mails.id" }, direction));
  const rows = await mails
    .select(["orders.number", "orders.created_at as orderedAt", microsecondsOf("mails.created_at").as("at")])
    .orderBy("mails.created_at", direction)
    .orderBy("mails.id", direction)
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit);
  return {
    next: page.next,
    rows: page.rows.map(({ number, orderedAt, at: _at, ...mail }) => ({
      ...mail,
      order:
        mail.orderId === null || number === null || orderedAt === null
          ? null
          : { id: mail.orderId, number, createdAt: orderedAt },
    })),
  };
}

export async function findMail(db: Db, id: MailId): Promise<LoggedMail | null> {
  return (await logged(db).where("mails.id", "=", id).executeTakeFirst()) ?? null;
}

/** Reads and locks a mail with its data, in any state. */
export async function lockMail(trx: Trx, id: MailId): Promise<(Mail & { state: MailState }) | null> {
  const row = await logged(trx)
    .select("mails.data")
    .where("mails.id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the time at which the last bounce was processed; null when there was none. */
export async function findLastBounce(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("mails")
    .select("refused_at")
    .where(mailsIn.bounced)
    .orderBy("refused_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.refused_at ?? null;
}

/** An address that gets no mails. */
export interface MailSuppression {
  email: string;
  /** Reply with which its server refused a mail, by its codes. */
  reason: string;
  mailId: MailId;
  since: Date;
}

const suppressions = (db: Db) =>
  db.selectFrom("mail_suppressions").select(["email", "reason", "mail_id as mailId", "since"]);

/** @returns false when the address is suppressed already */
export async function insertSuppression(
  trx: Trx,
  { email, reason, mailId }: Omit<MailSuppression, "since">,
): Promise<boolean> {
  const result = await trx
    .insertInto("mail_suppressions")
    .values({ email: email.toLowerCase(), reason, mail_id: mailId })
    .onConflict((oc) => oc.column("email").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function findSuppression(db: Db, email: string): Promise<MailSuppression | null> {
  return (await suppressions(db).where("email", "=", email.toLowerCase()).executeTakeFirst()) ?? null;
}

/** Finds a suppression by its refused mail, which identifies the address where that must not be named. */
export async function findSuppressionByMail(db: Db, mailId: MailId): Promise<MailSuppression | null> {
  return (await suppressions(db).where("mail_id", "=", mailId).executeTakeFirst()) ?? null;
}

/** Returns a page of suppressions, latest first. @param asked.email only this address, in any case */
export async function listSuppressions(
  db: Db,
  { email, after, limit }: { email: string | null; after: Cursor | null; limit: number },
): Promise<PageOfRows<MailSuppression>> {
  const rows = await suppressions(db)
    .select(["mail_id as id", microsecondsOf("since").as("at")])
    .$if(email !== null, (query) => query.where("email", "=", (email ?? "").toLowerCase()))
    .$if(after !== null, (query) =>
      query.where(afterCursor(after ?? { at: 0, id: "" }, { at: "since", id: "mail_id" }, "desc")),
    )
    .orderBy("since", "desc")
    .orderBy("mail_id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit);
  return { next: page.next, rows: page.rows.map(({ id: _id, at: _at, ...suppression }) => suppression) };
}

/** @returns the mail that was refused, or null when the address was not suppressed */
export async function deleteSuppression(trx: Trx, email: string): Promise<MailId | null> {
  const row = await trx
    .deleteFrom("mail_suppressions")
    .where("email", "=", email.toLowerCase())
    .returning("mail_id")
    .executeTakeFirst();
  return row?.mail_id ?? null;
}
