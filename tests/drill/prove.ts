/** Proves a year: subscriptions are bought, a year passes, and the books of the store, its buyers and the vendors agree. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderState } from "#tests/support/provider-state.ts";
import { startTimeTravelWorld, type TimeTravelWorld } from "#tests/support/time-travel-world.ts";
import { chargedFor, paidFor, storesStanding, vendorsStanding } from "./books.ts";
import type { Part } from "./lifecycle-scripts.ts";
import { buy, liveThroughYear, rowOf, type Subject, start } from "./year.ts";

/** @param timeoutMs for the whole year */
export function proveYear(parts: readonly Part[], timeoutMs: number): void {
  let world: TimeTravelWorld;
  let vendors: ProviderState;
  const subjects: Subject[] = [];
  const byName = <T>(entries: readonly (readonly [Subject, T])[]) =>
    Object.fromEntries(entries.map(([{ name }, value]) => [name, value]));
  const forEach = async <T>(read: (subject: Subject) => T | Promise<T>) =>
    byName(await Promise.all(subjects.map(async (subject) => [subject, await read(subject)] as const)));

  describe(`a year of ${parts.length} subscriptions`, () => {
    beforeAll(async () => {
      world = await startTimeTravelWorld(start);
      for (const part of parts) subjects.push(await buy(world, part));
      await world.settled();
      await liveThroughYear(world, subjects);
      vendors = await world.provider.state();
    }, timeoutMs);
    afterAll(() => world?.stop());

    test("keeps the vendors' seats, dates and states in the store", async () => {
      const sold = subjects.filter(({ plan }) => plan.family !== "brio");
      const standings = await Promise.all(
        sold.map(async (subject) => {
          const { external_id } = await rowOf(world, subject);
          return [
            subject,
            { ours: await storesStanding(world, subject), theirs: vendorsStanding(vendors, external_id) },
          ] as const;
        }),
      );
      expect(byName(standings.map(([subject, { ours }]) => [subject, ours]))).toEqual(
        byName(standings.map(([subject, { theirs }]) => [subject, theirs])),
      );
    });

    test("keeps only renewed subscriptions active", async () => {
      expect(await forEach(async (subject) => (await storesStanding(world, subject)).state)).toEqual(
        await forEach(({ state }) => (state === "over" ? "expired" : "active")),
      );
    });

    test("charges at vendors only what buyers paid for", async () => {
      const sold = subjects.filter(({ plan }) => plan.family !== "brio");
      const paid = await Promise.all(sold.map(async (each) => [each, await paidFor(world, each)] as const));
      const charged = sold.map((each) => [each, chargedFor(vendors, each.externalIds)] as const);
      expect(byName(charged)).toEqual(byName(paid));
      // This covers every subscription at a vendor.
      const known = new Set(subjects.flatMap(({ externalIds }) => externalIds));
      expect(vendors.bills.filter(({ subscriptionId }) => !known.has(subscriptionId))).toEqual([]);
    });

    test("takes one payment per order, and fulfils every paid one", async () => {
      const { rows } = await world.context.pool.query(
        `select o.id, o.stage, o.fulfilment_status, p.payments
         from orders o left join (
           select order_id, count(*)::int as payments from payments group by order_id
         ) p on p.order_id = o.id
         where o.stage <> 'stage4' or o.fulfilment_status <> 'done' or p.payments is distinct from 1`,
      );
      expect(rows).toEqual([]);
    });

    test("sends owners each reminder and end once, and the operator nothing", async () => {
      const mails = await world.context.db
        .selectFrom("mails")
        .select(["kind", "recipient", "sent_at", "dedupe_key"])
        .execute();
      expect(mails.filter(({ sent_at }) => sent_at === null)).toEqual([]);
      const count = (kind: string, email: string) =>
        mails.filter((mail) => mail.kind === kind && mail.recipient === email).length;
      expect(
        await forEach(({ email }) => ({
          reminders: count("renewal-reminder", email),
          endings: count("subscription-ended", email),
        })),
      ).toEqual(await forEach(({ reminders, endings }) => ({ reminders, endings })));
      const buyers = new Set(subjects.map(({ email }) => email));
      // The partners consented before the clock was moved, so their consents look old.
      const isConsent = (key: string) => key.startsWith("partner-consent:");
      const toOthers = mails.filter(({ recipient }) => !buyers.has(recipient));
      expect(toOthers.filter(({ dedupe_key }) => !isConsent(dedupe_key))).toEqual([]);
    });

    test("leaves no work, and logs no errors", async () => {
      expect(await world.troubles()).toEqual([]);
    });
  });
}
