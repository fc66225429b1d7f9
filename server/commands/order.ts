/**
 * `npm run order`: for the operator, shows what became of an order, and retries one that was given up.
 *   -- list                          orders that need attention, the longest waiting first
 *   -- show ID                       one order, with the requests made to the provider
 *   -- retry ID --reason "..."       retries it; the reason goes to the audit log
 */
import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { listAttention, type OrderStory, type OrderSummary } from "#db/attention.ts";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { DomainError } from "#server/errors.ts";
import { retryFulfilment, storyOf } from "#server/fulfilment/attention.ts";

const usage = `npm run order -- list
npm run order -- show ID
npm run order -- retry ID --reason "what was done about it"`;
const most = 200;

const { db } = createContext(
  readEnv({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" }),
  "order",
);
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
      const orders = await listAttention(db, most);
      for (const order of orders)
        console.log(`${lineOf(order)}\n    ${order.last_error ?? "no error is known"}`);
      console.log(orders.length === 0 ? "No order needs attention." : `${orders.length} shown.`);
      return;
    }
    case "show":
      return show(await storyOf(db, asked.id));
    case "retry":
      await retryFulfilment(db, asked.id, { reason: asked.reason, by: whoAsks() });
      console.log(
        `${asked.id} is on its way again. See what becomes of it: npm run order -- show ${asked.id}`,
      );
      return;
  }
}

/** In a container the user may have a number but no name. */
function whoAsks(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

type Asked = { act: "list" } | { act: "show"; id: OrderId } | { act: "retry"; id: OrderId; reason: string };

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): Asked {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, text, ...more] = positionals;
  if (more.length > 0) throw wrong(`What is "${more.join(" ")}"? A reason stands in quotes.`);
  if (act === "list" && text === undefined) return { act };
  if (act !== "show" && act !== "retry") throw wrong("What is to be done?");
  const id = parseId<OrderId>(text);
  if (id === null) throw wrong("Which order? Its id stands in the mail about it, and in the list.");
  if (act === "show") return { act, id };
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Why? A reason must be given: it stays in the audit log.");
  return { act, id, reason };
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { reason: { type: "string" } } });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "These words are not understood.");
  }
}

function show({ order, steps, payments, audit }: OrderStory): void {
  console.log(lineOf(order));
  console.log(`  company      ${order.company ?? "none"}`);
  console.log(
    `  stage        ${order.stage}, payment ${order.payment_status}, fulfilment ${order.fulfilment_status}`,
  );
  console.log(
    `  tries        ${order.attempts ?? 0}${order.last_error === null ? "" : `, the last: ${order.last_error}`}`,
  );
  for (const { provider_payment_id, status, problem } of payments)
    console.log(`  payment      ${provider_payment_id} ${status}${problem === null ? "" : `: ${problem}`}`);
  for (const { step, status, in_doubt, request_id, created_at } of steps) {
    const what = in_doubt
      ? "may have taken effect unheard"
      : status === "sent"
        ? "refused or not asked yet"
        : status;
    console.log(`  ${created_at.toISOString()}  ${step}: ${what} (request ${request_id})`);
  }
  for (const { at, action, data } of audit)
    console.log(`  ${at.toISOString()}  ${action} ${JSON.stringify(data)}`);
}

function lineOf({ id, paid_at, family, kind, item, quantity }: OrderSummary): string {
  return `${id}  paid ${paid_at?.toISOString() ?? "never"}  ${family} ${kind}  ${item} x ${quantity}`;
}
