/** Queries on the last success of each cron job. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export async function recordCronRun(db: Db, name: string): Promise<void> {
  await db
    .insertInto("clock_jobs")
    .values({ name, succeeded_at: sql<Date>`now()` })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ succeeded_at: sql<Date>`now()` }))
    .execute();
}

/** @returns null for a job that has never succeeded */
export async function findCronRun(db: Db, name: string): Promise<Date | null> {
  const row = await db
    .selectFrom("clock_jobs")
    .select("succeeded_at")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.succeeded_at ?? null;
}

/** Lists the last success of each cron job, without jobs that have never succeeded. */
export async function listCronRuns(db: Db): Promise<{ name: string; succeededAt: Date }[]> {
  return db.selectFrom("clock_jobs").select(["name", "succeeded_at as succeededAt"]).execute();
}
