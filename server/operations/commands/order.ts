/**
 * `npm run order`: for the operator, shows orders, retries failed ones, and books TDS certificates.
 *   -- list                          paused vendors, and orders that need attention, the longest waiting first
 *   -- show ORDER                       one order, with the requests made to the provider
 *   -- retry ORDER --reason "..."       retries it; the reason is stored in the audit log
 *   -- certificates                  certificates of tax that buyers withheld, the longest awaited first
 *   -- certificate ORDER --number "..." --date 2026-11-24 --amount 123.45   books one that has arrived
 *
 * ORDER is its number, HUB-26-000123, or its id. Needs DATABASE_URL and no other setting.
 */
import { parseArgs } from "node:util";
import type { TdsCertificate } from "#db/billing/tds-certificates.ts";
import {
  listOrdersNeedingAttention,
  type OrderInvestigation,
  type OrderWithFulfilment,
} from "#db/desk/attention.ts";
import { listPauses } from "#db/fulfilment/vendor-pauses.ts";
import type { Db } from "#db/tables/index.ts";
import { awaitedCertificates, recordCertificate } from "#server/billing/payments/certificates.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import { getOrderInvestigation, resolveOrderId, retryFulfilment } from "#server/fulfilment/attention.ts";
import { orderNumber } from "#server/orders/number.ts";
import { amountArgument, currentOsUser, runOperatorCommand } from "./operator.ts";

const usage = `npm run order -- list
npm run order -- show ORDER
npm run order -- retry ORDER --reason "what was done about it"
npm run order -- certificates
npm run order -- certificate ORDER --number "..." --date 2026-11-24 --amount 123.45`;
const most = 200;
const dayMs = 86_400_000;

await runOperatorCommand(run);

async function run(db: Db, args: string[]): Promise<void> {
  const input = readArguments(args);
  switch (input.act) {
    case "list": {
      for (const { account, reason, since, waiting } of await listPauses(db))
        console.log(
          `${account} is paused since ${since.toISOString()}, orders waiting: ${waiting}\n    ${reason}`,
        );
      const orders = await listOrdersNeedingAttention(db, most);
      for (const order of orders)
        console.log(`${lineOf(order)}\n    ${order.lastError ?? "no error is known"}`);
      console.log(endOfList(orders.length));
      return;
    }
    case "show":
      return show(await getOrderInvestigation(db, await resolveOrderId(db, input.order)));
    case "retry":
      await retryFulfilment(db, await resolveOrderId(db, input.order), {
        reason: input.reason,
        by: currentOsUser(),
      });
      console.log(`${input.order} restarted. Check progress: npm run order -- show ${input.order}`);
      return;
    case "certificates": {
      const now = new Date();
      const awaited = await awaitedCertificates(db, now);
      for (const { open, due, isOverdue, paidAt, ...order } of awaited) {
        const days = Math.floor((now.getTime() - paidAt.getTime()) / dayMs);
        console.log(
          `${orderNumber(order)}  ${formatMoney(open)}  for ${days} days, due ${due}${isOverdue ? ", overdue" : ""}`,
        );
      }
      console.log(awaited.length === 0 ? "No certificates outstanding." : `${awaited.length} awaited.`);
      return;
    }
    case "certificate": {
      const left = await recordCertificate(db, { ...input, by: currentOsUser() }, new Date());
      console.log(
        left.minor === 0
          ? `Certificate ${input.number} recorded. Nothing more outstanding for ${input.order}.`
          : `Certificate ${input.number} recorded. ${formatMoney(left)} is still outstanding for ${input.order}.`,
      );
      return;
    }
  }
}

function endOfList(count: number): string {
  if (count === 0) return "No order needs attention.";
  return count === most ? `The first ${most} are shown.` : `${count} shown.`;
}

type CommandInput =
  | { act: "list" | "certificates" }
  | ({ act: "certificate"; order: string } & TdsCertificate)
  | { act: "show"; order: string }
  | { act: "retry"; order: string; reason: string };

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): CommandInput {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, text, ...more] = positionals;
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}". Put the reason in quotes.`);
  if ((act === "list" || act === "certificates") && text === undefined) return { act };
  if (act !== "show" && act !== "retry" && act !== "certificate") throw wrong("Unknown command.");
  if (text === undefined) throw wrong("Missing order number. Find it in the alert email or with `list`.");
  if (act === "show") return { act, order: text };
  if (act === "certificate") return { act, order: text, ...readCertificate(values, wrong) };
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Missing --reason. It's kept in the audit log.");
  return { act, order: text, reason };
}

function readCertificate(
  { number = "", date = "", amount = "" }: ReturnType<typeof parse>["values"],
  wrong: (why: string) => DomainError,
): TdsCertificate {
  if (!/^[A-Z0-9/-]{1,30}$/i.test(number)) throw wrong("Missing --number.");
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    throw wrong("Missing or invalid --date. Use the format 2026-11-24.");
  return { number, dated: date, amountMinor: amountArgument(amount, wrong) };
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        reason: { type: "string" },
        number: { type: "string" },
        date: { type: "string" },
        amount: { type: "string" },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "Unknown arguments.");
  }
}

function show({ order, steps, payments, audit }: OrderInvestigation): void {
  console.log(lineOf(order));
  console.log(`  company      ${order.company ?? "none"}`);
  console.log(
    `  stage        ${order.stage}, payment ${order.paymentStatus}, fulfilment ${order.fulfilmentStatus}`,
  );
  console.log(
    `  tries        ${order.attempts ?? 0}${order.lastError === null ? "" : `, the last: ${order.lastError}`}`,
  );
  for (const { providerPaymentId, status, problem } of payments)
    console.log(
      `  payment      ${providerPaymentId} ${status}${problem === null ? "" : `: ${english(problem)}`}`,
    );
  for (const { step, status, inDoubt, requestId, createdAt } of steps) {
    const what = inDoubt
      ? "may have taken effect, no response"
      : status === "sent"
        ? "rejected or not requested yet"
        : status;
    console.log(`  ${createdAt.toISOString()}  ${step}: ${what} (request ${requestId})`);
  }
  for (const { at, action, data } of audit)
    console.log(`  ${at.toISOString()}  ${action} ${JSON.stringify(data)}`);
}

function lineOf({ paidAt, family, kind, item, quantity, ...order }: OrderWithFulfilment): string {
  return `${orderNumber(order)}  ${order.id}  paid ${paidAt?.toISOString() ?? "never"}  ${family} ${kind}  ${item} x ${quantity}`;
}
