/**
 * `npm run cancellation`: for the operator, shows cancellations and reductions in progress, and ends one that its vendor neither
 * makes nor refuses.
 *   -- list                            those in progress; the ones that need a person first
 *   -- show ID                         one of them, with its vendor's response
 *   -- refuse ID --reason "..."        keeps the subscription as it is, without a refund; the buyer reads the reason
 *   -- finish ID --reason "..."        refunds it: the vendor has made the change, although it does not say so
 *
 * ID is in the mail to the operator. Needs DATABASE_URL and no other setting; a worker acts on it.
 */
import { parseArgs } from "node:util";
import {
  type Cancellation,
  type Decision,
  listCancellationParts,
  listOpenCancellations,
} from "#db/billing/cancellations.ts";
import { type CancellationId, parseId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { decideCancellation, getCancellation } from "#server/billing/cancellations/decide.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { currentOsUser, runOperatorCommand } from "./operator.ts";

const usage = `npm run cancellation -- list
npm run cancellation -- show ID
npm run cancellation -- refuse ID --reason "why, for the buyer"
npm run cancellation -- finish ID --reason "what was seen at the vendor"`;
const most = 200;

await runOperatorCommand(run);

async function run(db: Db, args: string[]): Promise<void> {
  const input = readArguments(args);
  switch (input.act) {
    case "list": {
      const open = await listOpenCancellations(db, most);
      for (const each of open) console.log(`${lineOf(each)}  ${each.name}, ${each.domain}`);
      console.log(open.length === 0 ? "No cancellations in progress." : `${open.length} shown.`);
      return;
    }
    case "show":
      return show(db, await getCancellation(db, input.id));
    case "refuse":
    case "finish":
      await decideCancellation(db, input.id, input, { by: currentOsUser() });
      console.log(`Queued. Check progress: npm run cancellation -- show ${input.id}`);
      return;
  }
}

type CommandInput =
  | { act: "list" }
  | { act: "show"; id: CancellationId | null }
  | (Decision & { id: CancellationId | null });

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): CommandInput {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, text, ...more] = positionals;
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}". Put the reason in quotes.`);
  if (act === "list" && text === undefined) return { act };
  if (act !== "show" && act !== "refuse" && act !== "finish") throw wrong("Unknown command.");
  if (text === undefined) throw wrong("Missing cancellation ID. Find it in the alert email or with `list`.");
  const id = parseId<CancellationId>(text);
  if (act === "show") return { act, id };
  const reason = values.reason?.trim() ?? "";
  if (reason === "") throw wrong("Missing --reason. It's kept in the audit log.");
  return { act, id, reason };
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { reason: { type: "string" } } });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "Unknown arguments.");
  }
}

async function show(db: Db, cancellation: Cancellation): Promise<void> {
  console.log(lineOf(cancellation));
  const { subscriptionId, seatsBefore, seatsAfter, lastError, decision, vendorDoneAt, finishedAt } =
    cancellation;
  console.log(`  subscription ${subscriptionId}, licenses ${seatsBefore} -> ${seatsAfter}`);
  for (const { orderId, seats, amount } of await listCancellationParts(db, cancellation.id))
    console.log(`  order        ${orderId}: ${seats} licenses, ${formatMoney(amount)}`);
  if (lastError !== null) console.log(`  last error   ${lastError}`);
  if (decision !== null) console.log(`  decided      ${decision.act}: ${decision.reason}`);
  if (vendorDoneAt !== null) console.log(`  at vendor    ${vendorDoneAt.toISOString()}`);
  if (finishedAt !== null) console.log(`  over         ${finishedAt.toISOString()}`);
}

function lineOf({ id, kind, state, needsPerson, createdAt }: Cancellation): string {
  return `${id}  ${kind}  ${state}${needsPerson ? ", needs attention" : ""}  asked ${createdAt.toISOString()}`;
}
