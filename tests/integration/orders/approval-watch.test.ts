/** Orders that wait for a tenant's approval: someone's action triggers the next check at once, even during a running check. */
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import {
  findOrderInvitation,
  resumeWatching,
  watchInvitation,
} from "#server/fulfilment/partner-invitations.ts";
import { answerSignInAndConfirm, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, provider } = await startStore();
afterAll(() => {
  expect(stack.unexpectedErrors()).toEqual([]);
});

const tenantLookUp = { method: "GET", path: "^/partner-center/v1/customers/[^/?]+$" };

/** Creates an order that has waited for five days, so that checks are ten minutes apart. */
async function longWaiting() {
  const { id } = await confirmed();
  const days = sql<Date>`now() - interval '5 days'`;
  await context.db
    .updateTable("invitations")
    .set({ created_at: days, watched_from: days, expires_at: sql<Date>`now() + interval '5 days'` })
    .where("order_id", "=", id)
    .execute();
  const invitation = await findOrderInvitation(context.db, id);
  if (invitation === null) throw new Error("Expected an open partner invitation");
  return invitation;
}

async function confirmed() {
  const order = await paidOrder(stack);
  await answerSignInAndConfirm(order, `boss@${freshPrefix()}.onmicrosoft.com`);
  return order;
}

async function nextCheckInMs({ id }: { id: string }): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from run_at - now())::float8 * 1000 as ms
    from graphile_worker.jobs where key = ${`invitation:${id}`}`.execute(context.db);
  const [job] = rows;
  if (job === undefined) throw new Error("Expected a scheduled check");
  return job.ms;
}

test("checks minutes apart while nobody acts", async () => {
  const invitation = await longWaiting();
  await watchInvitation(context, invitation.id);
  expect(await nextCheckInMs(invitation)).toBeGreaterThan(60_000);
});

test("checks at once when someone acts during a running check", async () => {
  const invitation = await longWaiting();
  await provider.faults({ match: tenantLookUp, kind: "slow", delayMs: 1_000, times: 1 });
  const check = watchInvitation(context, invitation.id);
  await until("the provider is called", async () => (await provider.state()).faults.length === 0);
  await context.db.transaction().execute((trx) => resumeWatching(context, trx, invitation, new Date()));
  await check;
  expect(await nextCheckInMs(invitation)).toBeLessThan(1_000);
});
