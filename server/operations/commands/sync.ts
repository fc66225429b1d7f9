/**
 * `npm run sync`: syncs the subscriptions that customers bought elsewhere now, and reports the result. A worker does the same
 * every day.
 */
import { syncAll } from "#server/orders/subscriptions/sync.ts";
import { commandContext } from "./operator.ts";

const context = commandContext("sync");

const totals = { accounts: 0, takenIn: 0, failed: 0 };
try {
  await syncAll(context, (report) => {
    const account = `${report.account.family} ${report.account.externalId}`;
    totals.accounts += 1;
    if ("failed" in report) {
      totals.failed += 1;
      console.log(`${account}: failed: ${report.failed}`);
      return;
    }
    totals.takenIn += report.takenIn.length;
    for (const { itemId, quantity, domain, subscriptionId } of report.takenIn)
      console.log(`${account}: took in ${itemId} x ${quantity} for ${domain} as ${subscriptionId}`);
    for (const { sku, why } of report.notOurs) console.log(`${account}: left ${sku || "no sku"}: ${why}`);
    if (report.passedOver !== null) console.log(`${account}: passed over: ${report.passedOver}`);
  });
  console.log(
    `${totals.accounts} accounts asked, ${totals.takenIn} subscriptions taken in, ${totals.failed} failed.`,
  );
  if (totals.failed > 0) process.exitCode = 1;
} finally {
  await context.db.destroy();
}
