/**
 * `npm run order`: for the operator, shows what became of an order, and retries one that was given up.
 *   -- list                          vendors that are paused, and orders that need attention, the longest waiting first
 *   -- show ORDER                       one order, with the requests made to the provider
 *   -- retry ORDER --reason "..."       retries it; the reason goes to the audit log
 * ORDER is its number, HUB-26-000123, or its id. Needs DATABASE_URL and no other setting.
 */
import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { listAttention, type OrderStory, type OrderSummary } from "#db/attention.ts";
import { createDb, createPool } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { listPauses } from "#db/vendor-pauses.ts";
import { DomainError } from "#server/errors.ts";
import { orderNamed, retryFulfilment, storyOf } from "#server/fulfilment/attention.ts";
import { orderNumber } from "#server/orders/number.ts";
import { requireDatabaseUrl } from "./database-url.ts";

const usage = `npm run order -- list
npm run order -- show ORDER
npm run order -- retry ORDER --reason "what was done about it"`;
const most = 200;

const db = createDb(createPool(requireDatabaseUrl(), 1));
try {
  await run(db, process.argv.slice(2));
} catch (error) {
  // A wrong request gets one sentence. A fault of ours keeps its stack.
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await db.destroy();
}

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
  }
}

function endOfList(count: number): string {
  if (count === 0) return "No order needs attention.";
  return count === most ? `The first ${most} are shown.` : `${count} shown.`;
}

/** In a container the user may have a number but no name. */
function whoAsks(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

type Asked =
  | { act: "list" }
  | { act: "show"; order: string }
  | { act: "retry"; order: string; reason: string };

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): Asked {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, text, ...more] = positionals;
  if (more.length > 0) throw wrong(`What is "${more.join(" ")}"? Put the reason in quotes.`);
  if (act === "list" && text === undefined) return { act };
  if (act !== "show" && act !== "retry") throw wrong("Unknown command.");
  if (text === undefined) throw wrong("Which order? Its number is in the alert email and in `list`.");
  if (act === "show") return { act, order: text };
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Why? A reason must be given: it stays in the audit log.");
  return { act, order: text, reason };
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { reason: { type: "string" } } });
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
    console.log(`  payment      ${providerPaymentId} ${status}${problem === null ? "" : `: ${problem}`}`);
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

function lineOf({ paidAt, family, kind, item, quantity, ...order }: OrderSummary): string {
  return `${orderNumber(order)}  ${order.id}  paid ${paidAt?.toISOString() ?? "never"}  ${family} ${kind}  ${item} x ${quantity}`;
}
