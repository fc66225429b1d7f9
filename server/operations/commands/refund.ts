/**
 * `npm run refund`: for the operator, refunds payments.
 *   -- ORDER --reason "..." --yes               the rest of an order's payments
 *   -- PAYMENT --amount 123.45 --reason "..." --yes   a part of a payment, in its own currency
 *   -- --surplus                                lists payments that no order uses
 *
 * ORDER is its number, HUB-26-000123, or its id; PAYMENT the provider's id, pay_... Without --yes it only describes the refund.
 * Repeated within a day, the same amount for the same reason is refunded once, unless --again is given. The buyer sees the
 * reason, and the audit log stores it.
 */
import { parseArgs } from "node:util";
import { listSurplus } from "#db/billing/received-payments.ts";
import {
  refundByStaff,
  type StaffRefundRequest,
  type StaffRefundResult,
} from "#server/billing/payments/staff-refund.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { amountArgument, commandContext, currentOsUser } from "./operator.ts";

const usage = `npm run refund -- ORDER_NUMBER|PAYMENT_ID [--amount 123.45] --reason "why" [--again] --yes
npm run refund -- --surplus`;
const most = 200;

const context = commandContext("refund");
const { db, env } = context;
try {
  const request = readArguments(process.argv.slice(2));
  if (request === "surplus") await printSurplus();
  else console.log(wordsOf(await refundByStaff(db, env, request)));
} catch (error) {
  // Prints one sentence for a wrong request, and the stack for a fault of ours.
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await db.destroy();
}

async function printSurplus(): Promise<void> {
  const payments = await listSurplus(db, most);
  for (const { providerPaymentId, status, amountMinor, goneMinor, currency, receivedAt, orderId } of payments)
    console.log(
      `${providerPaymentId}  ${status}  ${((amountMinor ?? 0) / 100).toFixed(2)} ${currency}, gone ${(goneMinor / 100).toFixed(2)}  ${receivedAt.toISOString()}  order ${orderId}`,
    );
  console.log(payments.length === 0 ? "No surplus payments." : `${payments.length} shown.`);
}

function wordsOf({ outcome, orderNumber, providerPaymentId, amount, refundId }: StaffRefundResult): string {
  const what = `${formatMoney(amount)} of payment ${providerPaymentId} of order ${orderNumber}`;
  switch (outcome) {
    case "planned":
      return `Dry run: would refund ${what}. Add --yes to refund.`;
    case "requested":
      return `${what} is being refunded (refund ${refundId}). You'll get an email if it fails.`;
    case "repeated":
      return `${what} was already requested in the last 24 hours for the same reason (refund ${refundId}). Nothing was done. Add --again to refund it again.`;
  }
}

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): StaffRefundRequest | "surplus" {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [target, ...more] = positionals;
  if (values.surplus === true && target === undefined) return "surplus";
  if (target === undefined) throw wrong("Missing order number or payment ID.");
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}". Put the reason in quotes.`);
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Missing --reason. The buyer sees it and it's kept in the audit log.");
  return {
    target,
    amountMinor: values.amount === undefined ? null : amountArgument(values.amount, wrong),
    reason,
    allowDuplicate: values.again === true,
    by: currentOsUser(),
    isConfirmed: values.yes === true,
  };
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        amount: { type: "string" },
        reason: { type: "string" },
        again: { type: "boolean" },
        yes: { type: "boolean" },
        surplus: { type: "boolean" },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "Unknown arguments.");
  }
}
