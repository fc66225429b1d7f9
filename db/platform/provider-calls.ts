/** The calls made to providers for orders: stored outside of any transaction, and deleted when they are old. */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export interface RecordedCall {
  orderId: OrderId;
  /** Time of the response, or of the time-out. */
  at: Date;
  provider: string;
  method: string;
  path: string;
  requestId: string | null;
  /** Null without a response. */
  status: number | null;
  ms: number;
  /** Number of the try, from 1. */
  attempt: number;
  answer: string | null;
}

/** Cuts longer text, since a rejected record would be useless. */
const cut = (text: string, most: number) => text.slice(0, most);

export async function insertProviderCalls(db: Db, calls: readonly RecordedCall[]): Promise<void> {
  await db
    .insertInto("provider_calls")
    .values(
      calls.map(({ orderId, requestId, path, answer, ...call }) => ({
        ...call,
        order_id: orderId,
        path: cut(path, 300),
        request_id: requestId === null ? null : cut(requestId, 100),
        answer: answer === null ? null : cut(answer, 400),
      })),
    )
    .execute();
}

/** Deletes the oldest calls of orders that are polled for weeks. @returns the number of deleted calls */
export async function trimProviderCalls(
  db: Db,
  { since, keep }: { since: Date; keep: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from provider_calls where id in (
      select numbered.id
      from (select distinct order_id from provider_calls where at >= ${since}) recent
      cross join lateral (
        select id from provider_calls where order_id = recent.order_id order by id desc offset ${keep}
      ) numbered)`.execute(db);
  return Number(numAffectedRows);
}
