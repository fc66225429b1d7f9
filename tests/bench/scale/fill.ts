/**
 * A store with as many orders as one asks for, and with all that belongs to them in believable proportion: companies, payments, invoices,
 * refunds, mails, acts and so on, over three years. Every constraint is on while it is made, unless one asks otherwise. Two runs differ in their times alone.
 */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { fillCompanies } from "./companies.ts";
import { fillMoney } from "./money.ts";
import { fillOperation } from "./operation.ts";
import { fillOrders } from "./orders.ts";

/**
 * Fills a migrated database that has the catalogue and the demo data (sandbox/demo/data.ts), once.
 * @param asked.orders from 1,000 @param asked.largest how many one company has beside these, where the others have about as many each;
 * left out, one company in a hundred has a tenth of all @param asked.isTrusted leaves foreign keys unchecked, which takes half the time and
 * the rights of a superuser: a smaller store has shown that they hold @param asked.say told what is done, with the time it took
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
      // As autovacuum leaves a store that has grown in years: pages are known to be visible to all.
      await sql`vacuum analyze`.execute(one);
    },
  };
  // Temporary tables are of a connection.
  await db.connection().execute(async (one) => {
    // Jobs of the year's worth of rows must not be cut by a limit of the pool.
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
