/**
 * `npm run after-restore`: run it once the database was restored to an earlier moment, before any process of the store starts.
 * Asks payment providers and vendors about what the database has lost, so that nothing is bought, numbered or refunded twice.
 * Repeatable. Ends with 0 when nothing is left to do, and with 2 when something needs attention.
 *   -- --to 2026-11-25T10:15:00+05:30     the moment that the database was restored to
 */
import { parseArgs } from "node:util";
import { invoiceNumber } from "#server/billing/documents/number.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { afterRestore, type RestoreReport } from "#server/operations/after-restore/after-restore.ts";
import { orderNumber } from "#server/orders/number.ts";
import { commandContext, currentOsUser } from "./operator.ts";

const usage = "npm run after-restore -- --to 2026-11-25T10:15:00+05:30";
const needsPerson = 2;
const outcomes = {
  done: "was fulfilled: marked as done",
  requeued: "wasn't fulfilled: restarted",
  waits: "wasn't fulfilled: waiting for its buyer",
} as const;

const context = commandContext("after-restore", "error");
try {
  const reason = "npm run after-restore";
  report(await afterRestore(context, readMoment(), { by: currentOsUser(), reason }));
} catch (error) {
  if (!(error instanceof DomainError || error instanceof ProviderError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

/** @throws DomainError bad_request */
function readMoment(): Date {
  const { values } = parseArgs({ options: { to: { type: "string", default: "" } } });
  const moment = new Date(values.to);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(values.to);
  if (!isMoment || Number.isNaN(moment.getTime()) || moment > new Date())
    throw new DomainError("bad_request", `Missing --to, with a time zone. Usage: ${usage}`);
  return moment;
}

function report({ skipped, found, lost, refunds, cancellations, orders }: RestoreReport): void {
  for (const { series, first, last } of skipped ?? [])
    console.log(
      `${invoiceNumber(series, first)} to ${invoiceNumber(series, last)} may have been issued since and won't be reused. Record this.`,
    );
  console.log(`${found} payments were found again, and ${refunds} refunds.`);
  for (const { provider, account, id, amountMinor, currency } of lost)
    console.log(
      `${paymentProviders[provider].name} ${account ?? ""}: payment ${id} of ${amountMinor / 100} ${currency} is for an order that isn't in the restored database.`,
    );
  for (const id of cancellations)
    console.log(
      `Cancellation ${id}: it has been refunded since. Check it: npm run cancellation -- show ${id}`,
    );
  for (const followed of orders)
    console.log(
      `${orderNumber(followed.order)}  ${followed.outcome === "needs-attention" ? `needs attention: ${followed.because}` : outcomes[followed.outcome]}`,
    );
  const open =
    lost.length + cancellations.length + orders.filter(({ outcome }) => outcome === "needs-attention").length;
  console.log(
    open === 0
      ? "Nothing left to do. You can start the store."
      : `${open} need attention. You can start the store.`,
  );
  if (open > 0) process.exitCode = needsPerson;
}
