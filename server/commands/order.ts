/**
 * `npm run order`: for the operator, shows what became of an order, retries one that was given up, and books certificates of TDS.
 *   -- list                          vendors that are paused, and orders that need attention, the longest waiting first
 *   -- show ORDER                       one order, with the requests made to the provider
 *   -- retry ORDER --reason "..."       retries it; the reason goes to the audit log
 *   -- certificates                  certificates of tax that buyers withheld, the longest awaited first
 *   -- certificate ORDER --number "..." --date 2026-11-24 --amount 123.45   books one that has arrived
 * ORDER is its number, HUB-26-000123, or its id. Needs DATABASE_URL and no other setting.
 */
import { parseArgs } from "node:util";
import { listAttention, type OrderStory, type OrderUnderWay } from "#db/attention.ts";
import type { Db } from "#db/tables/index.ts";
import type { TdsCertificate } from "#db/tds-certificates.ts";
import { listPauses } from "#db/vendor-pauses.ts";
import { DomainError } from "#server/errors.ts";
import { orderNamed, retryFulfilment, storyOf } from "#server/fulfilment/attention.ts";
import { english } from "#server/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import { awaitedCertificates, bookCertificate } from "#server/payments/certificates.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { amountArgument, runForOperator, whoAsks } from "./operator.ts";

const usage = `npm run order -- list
npm run order -- show ORDER
npm run order -- retry ORDER --reason "what was done about it"
npm run order -- certificates
npm run order -- certificate ORDER --number "..." --date 2026-11-24 --amount 123.45`;
const most = 200;
const dayMs = 86_400_000;

await runForOperator(run);

async function run(db: Db, args: string[]): Promise<void> {
  const asked = readArguments(args);
  switch (asked.act) {
    case "list": {
      for (const { account, reason, since, waiting } of await listPauses(db))
        console.log(
          `${account} is paused since ${since.toISOString()}, orders waiting: ${waiting}\n    ${reason}`,
        );
      const orders = await listAttention(db, most);
      for (const order of orders)
        console.log(`${lineOf(order)}\n    ${order.lastError ?? "no error is known"}`);
      console.log(endOfList(orders.length));
      return;
    }
    case "show":
      return show(await storyOf(db, await orderNamed(db, asked.order)));
    case "retry":
      await retryFulfilment(db, await orderNamed(db, asked.order), { reason: asked.reason, by: whoAsks() });
      console.log(
        `${asked.order} is on its way again. See what becomes of it: npm run order -- show ${asked.order}`,
      );
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
      console.log(awaited.length === 0 ? "No certificate is awaited." : `${awaited.length} awaited.`);
      return;
    }
    case "certificate": {
      const left = await bookCertificate(db, { ...asked, by: whoAsks() }, new Date());
      console.log(
        left.minor === 0
          ? `Certificate ${asked.number} is booked. Nothing more is awaited for ${asked.order}.`
          : `Certificate ${asked.number} is booked. ${formatMoney(left)} is still awaited for ${asked.order}.`,
      );
      return;
    }
  }
}

function endOfList(count: number): string {
  if (count === 0) return "No order needs attention.";
  return count === most ? `The first ${most} are shown.` : `${count} shown.`;
}

type Asked =
  | { act: "list" | "certificates" }
  | ({ act: "certificate"; order: string } & TdsCertificate)
  | { act: "show"; order: string }
  | { act: "retry"; order: string; reason: string };

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): Asked {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, text, ...more] = positionals;
  if (more.length > 0) throw wrong(`What is "${more.join(" ")}"? Put the reason in quotes.`);
  if ((act === "list" || act === "certificates") && text === undefined) return { act };
  if (act !== "show" && act !== "retry" && act !== "certificate") throw wrong("Unknown command.");
  if (text === undefined) throw wrong("Which order? Its number is in the alert email and in `list`.");
  if (act === "show") return { act, order: text };
  if (act === "certificate") return { act, order: text, ...readCertificate(values, wrong) };
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Why? A reason must be given: it stays in the audit log.");
  return { act, order: text, reason };
}

function readCertificate(
  { number = "", date = "", amount = "" }: ReturnType<typeof parse>["values"],
  wrong: (why: string) => DomainError,
): TdsCertificate {
  if (!/^[A-Z0-9/-]{1,30}$/i.test(number)) throw wrong("Which number does the certificate have?");
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    throw wrong("Of which day is it? A day is written as 2026-11-24.");
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

function show({ order, steps, payments, audit }: OrderStory): void {
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
      ? "may have taken effect unheard"
      : status === "sent"
        ? "refused or not asked yet"
        : status;
    console.log(`  ${createdAt.toISOString()}  ${step}: ${what} (request ${requestId})`);
  }
  for (const { at, action, data } of audit)
    console.log(`  ${at.toISOString()}  ${action} ${JSON.stringify(data)}`);
}

function lineOf({ paidAt, family, kind, item, quantity, ...order }: OrderUnderWay): string {
  return `${orderNumber(order)}  ${order.id}  paid ${paidAt?.toISOString() ?? "never"}  ${family} ${kind}  ${item} x ${quantity}`;
}
