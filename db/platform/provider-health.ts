/** Provider health: the time of the last webhook of each kind, and the number of rate-limited calls. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface WebhookLastReceived {
  source: string;
  kind: string;
  lastAt: Date;
}

/** Records that a webhook of this kind has arrived now. */
export async function recordWebhookReceived(
  db: Db,
  { source, kind }: Omit<WebhookLastReceived, "lastAt">,
): Promise<void> {
  await db
    .insertInto("webhook_pulses")
    .values({ source, kind, last_at: sql<Date>`now()` })
    .onConflict((conflict) => conflict.columns(["source", "kind"]).doUpdateSet({ last_at: sql<Date>`now()` }))
    .execute();
}

/** Lists the last webhooks by source, and latest first within one. */
export function listLastWebhooks(db: Db): Promise<WebhookLastReceived[]> {
  return db
    .selectFrom("webhook_pulses")
    .select(["source", "kind", "last_at as lastAt"])
    .orderBy("source")
    .orderBy("last_at", "desc")
    .execute();
}

/** Records that a provider has rate-limited a call now. */
export async function recordRateLimited(db: Db, provider: string): Promise<void> {
  await sql`
    insert into provider_limits (provider, day, count, last_at)
    values (${provider}, (now() at time zone 'utc')::date, 1, now())
    on conflict (provider, day) do update set count = provider_limits.count + 1, last_at = excluded.last_at`.execute(
    db,
  );
}

export interface RateLimitHits {
  provider: string;
  /** Number of days with a hit, and of hits in total. */
  days: number;
  count: number;
  lastAt: Date;
}

/** Lists the hits per provider, on the days that begin after a time. */
export async function listRateLimitHits(db: Db, since: Date): Promise<RateLimitHits[]> {
  const { rows } = await sql<RateLimitHits>`
    select provider, count(*) as days, sum(count)::bigint as count, max(last_at) as "lastAt"
    from provider_limits where day > (${since}::timestamptz at time zone 'utc')::date
    group by provider order by provider`.execute(db);
  return rows;
}
