/** Queries on companies' choices for the end of a subscription's term. */
import { sql } from "kysely";
import type { SubscriptionId, UserId } from "#db/ids.ts";
import type { RenewalDecision } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface RenewalChoice {
  decision: RenewalDecision;
  /** Seats of the next term for "fewer"; null for the other decisions. */
  seats: number | null;
  chosenAt: Date;
  /** Null when that user's account was deleted. */
  chosenBy: UserId | null;
  /** Whether it was chosen with a mailed link, without a login. */
  byLink: boolean;
}

/** A vendor may report a more exact end after the choice; any other term ends at least four weeks away. */
const isOfPresentEnd = sql<boolean>`(
  renewal_choices.term_end > subscriptions.end_date - interval '3 days'
  and renewal_choices.term_end < subscriptions.end_date + interval '3 days')`;

/** SQL condition on a query of subscriptions: whether the company chose to stop at the end of the running term. */
export const isToStop = sql<boolean>`exists (
  select from renewal_choices
  where renewal_choices.subscription_id = subscriptions.id and renewal_choices.decision = 'stop' and ${isOfPresentEnd})`;

/** Reads the choices for the current terms of these subscriptions, keyed by subscription id. */
export async function selectChoices(
  db: Db,
  ids: readonly SubscriptionId[],
): Promise<ReadonlyMap<string, RenewalChoice>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("renewal_choices")
    .innerJoin("subscriptions", "subscriptions.id", "renewal_choices.subscription_id")
    .select([
      "renewal_choices.subscription_id as id",
      "renewal_choices.decision",
      "renewal_choices.seats",
      "renewal_choices.chosen_at as chosenAt",
      "renewal_choices.chosen_by as chosenBy",
      "renewal_choices.by_link as byLink",
    ])
    .where("renewal_choices.subscription_id", "in", ids)
    .where(isOfPresentEnd)
    .execute();
  return new Map(rows.map(({ id, ...choice }) => [id, choice]));
}

/** Replaces the choice for the subscription's current end. The caller must hold the subscription's lock. */
export async function saveChoice(trx: Trx, id: SubscriptionId, choice: RenewalChoice): Promise<void> {
  const { decision, seats, chosenAt, chosenBy, byLink } = choice;
  await sql`
    insert into renewal_choices (subscription_id, term_end, decision, seats, chosen_at, chosen_by, by_link)
    select id, end_date, ${decision}, ${seats}, ${chosenAt}, ${chosenBy}, ${byLink} from subscriptions where id = ${id}
    on conflict (subscription_id) do update set
      term_end = excluded.term_end, decision = excluded.decision, seats = excluded.seats,
      chosen_at = excluded.chosen_at, chosen_by = excluded.chosen_by, by_link = excluded.by_link`.execute(
    trx,
  );
}

/** Deletes a choice. @returns false when there was none */
export async function deleteChoice(trx: Trx, id: SubscriptionId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("renewal_choices")
    .where("subscription_id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
