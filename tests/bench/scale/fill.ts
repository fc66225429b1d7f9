/**
 * Fills a store with any number of orders and everything that belongs to them in realistic proportions: companies, payments,
 * invoices, refunds, mails, staff actions and so on, over three years. Every constraint is active during this, unless
 * `isTrusted`. Two runs differ only in their times.
 */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { fillCompanies } from "./companies.ts";
import { fillMoney } from "./money.ts";
import { fillOperation } from "./operation.ts";
import { fillOrders } from "./orders.ts";

/**
 * Fills a migrated database that has the catalogue and the demo data (sandbox/demo/data.ts). Call it once.
 * @param asked.orders from 1,000
 * @param asked.largest number of orders of one additional company, where the others have about equal numbers; left out, one
 * company in a hundred has a tenth of all
 * @param asked.isTrusted does not check foreign keys, which takes half the time and requires a superuser: a smaller store has
 * shown that they hold
 * @param asked.say receives each completed step, with its duration
 */
export async function fillStore(
  db: Db,
  {
    orders,
    largest = 0,
    isTrusted = false,
    now = new Date(),
    say = () => undefined,
  }: {
    orders: number;
    largest?: number;
    isTrusted?: boolean;
    now?: Date;
    say?: (line: string) => void;
  },
): Promise<void> {
  const parts: Readonly<Record<string, (one: Db) => Promise<void>>> = {
    companies: (one) => fillCompanies(one, { orders, now }),
    orders: (one) => fillOrders(one, { orders, largest, now }),
    money: (one) => fillMoney(one, { now }),
    operation: (one) => fillOperation(one, { orders, now }),
    statistics: async (one) => {
      // Same state as after years of autovacuum: pages are known to be visible to all.
      await sql`vacuum analyze`.execute(one);
    },
  };
  // Temporary tables belong to a connection.
  await db.connection().execute(async (one) => {
    // The pool's limit must not cancel statements that write several years' rows.
    await sql`set statement_timeout = 0`.execute(one);
    await sql`set jit = off`.execute(one);
    await sql`set work_mem = '256MB'`.execute(one);
    if (isTrusted) await sql`set session_replication_role = 'replica'`.execute(one);
    for (const [name, fill] of Object.entries(parts)) {
      const began = performance.now();
      await fill(one);
      say(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    }
    await sql`discard all`.execute(one);
  });
}
