/**
 * `npm run reconcile`: checks that payouts, vendors' bills, payments and invoices agree. A worker does the same every day. Ends
 * with 0 when no difference is open, with 2 when one is, and with 1 when a provider did not respond.
 *   (nothing)                    reads new data, compares, and lists the differences
 *   -- --day 2026-11-24          reads the payouts of that day again, and compares
 *   -- --month 2026-11           reads vendors' bills of that month, and compares
 *   -- --import FILE --family F [--country C] [--month 2026-11]   a downloaded bill, also zipped; the country of the
 *                                billed account, where there are several
 *   -- --list [--all]            lists open differences, or all that ever were; makes no provider calls
 *   -- --acknowledge KEY --reason "..."   removes a difference that is correct as it is
 */
import { createReadStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { listOpenDiscrepancies, type StoredDiscrepancy } from "#db/billing/reconciliation.ts";
import { money } from "#db/money.ts";
import {
  type BilledAccount,
  billedAccounts,
  importLines,
  readBills,
} from "#server/billing/reconciliation/bills.ts";
import { monthBefore, utcDay, utcMonth } from "#server/billing/reconciliation/days.ts";
import { acknowledgeByStaff, findDiscrepancies } from "#server/billing/reconciliation/reconcile.ts";
import { readDay, readSettlements, settlementAccounts } from "#server/billing/reconciliation/settlements.ts";
import { BillError } from "#server/catalogue/families/bills.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { FileError, fileText } from "#server/foundation/file-text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { commandContext, currentOsUser } from "./operator.ts";

const differs = 2;
/** Longest wait for a bill that its vendor prepares. */
const timeoutMs = 120_000;
const lookEveryMs = 3_000;

const context = commandContext("reconcile");
const now = new Date();
try {
  const { values } = parseArgs({
    options: {
      day: { type: "string" },
      month: { type: "string" },
      import: { type: "string" },
      family: { type: "string" },
      country: { type: "string" },
      list: { type: "boolean" },
      all: { type: "boolean" },
      acknowledge: { type: "string" },
      reason: { type: "string" },
    },
  });
  const { day, month, import: file, acknowledge: key } = values;
  if (day !== undefined && !isDay(day)) throw new Error("Use a date such as 2026-11-24, not in the future.");
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new Error("Use a month such as 2026-11.");
  if (values.list) show(await listOpenDiscrepancies(context.db, { all: values.all === true }));
  else if (key !== undefined) await takeOff(key, values.reason);
  else {
    if (file !== undefined) await readFile(file, { ...values, month });
    else if (day !== undefined) await readPayouts((account) => readDay(context, account, day, now));
    else if (month !== undefined) await readMonth(month);
    else {
      await readPayouts((account) => readSettlements(context, account, now));
      await readMonth(monthBefore(utcMonth(now)));
    }
    show(await findDiscrepancies(context, now));
  }
} catch (error) {
  // Prints one sentence for a wrong request or a vendor's refusal, and the stack for a fault of ours.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && text <= utcDay(now);
}

async function readPayouts(
  read: (account: ReturnType<typeof settlementAccounts>[number]) => Promise<number>,
): Promise<void> {
  for (const account of settlementAccounts(context)) {
    const name = [account.provider, account.account].filter(Boolean).join(" ");
    await unlessRefused(name, async () =>
      console.log(`${name}: ${await read(account)} new lines of payouts.`),
    );
  }
}

async function readMonth(month: string): Promise<void> {
  for (const billed of billedAccounts(context)) {
    await unlessRefused(billed.account, async () => {
      const giveUpAt = Date.now() + timeoutMs;
      let read = await readBills(context, billed, month);
      let { lines } = read;
      while (read.awaited > 0 && Date.now() < giveUpAt) {
        await sleep(lookEveryMs);
        read = await readBills(context, billed, month);
        lines += read.lines;
      }
      console.log(`${billed.account}: ${lines} new lines of bills for ${month}.`);
      if (read.awaited > 0)
        throw new BillError(`${read.awaited} bills are still being prepared: ask again later`);
    });
  }
}

/** Continues with the other providers when one does not respond. */
async function unlessRefused(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof FileError)) throw error;
    const description = error instanceof ProviderError ? error.description : undefined;
    console.error(`${name}: ${[error.message, description].filter(Boolean).join(": ")}`);
    process.exitCode = 1;
  }
}

async function readFile(
  file: string,
  { family, country, month }: { family?: string; country?: string; month?: string | undefined },
): Promise<void> {
  const billed = accountFor(family, country?.toUpperCase());
  const lines = await billed.bills.parse(fileText(createReadStream(file)));
  const stored = await importLines(context, billed, { lines, month });
  const known = lines.length - stored;
  console.log(
    `${billed.account}: ${stored} new lines of bills. ${lines.length} read, none left out, ${known} stored before.`,
  );
  for (const { remark } of lines) if (remark !== null) console.log(`    look at ${remark}`);
}

/** @throws Error that lists the existing accounts */
function accountFor(family: string | undefined, country: string | undefined): BilledAccount {
  const accounts = billedAccounts(context).filter(
    (each) => each.family === family && (country === undefined || each.country === country),
  );
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0) return only;
  const known = billedAccounts(context).map((each) => `--family ${each.family} --country ${each.country}`);
  throw new Error(`Missing bill account. Use one of:\n${known.join("\n")}`);
}

async function takeOff(key: string, reason: string | undefined): Promise<void> {
  const because = reason?.trim() ?? "";
  if (because === "") throw new Error("Missing --reason: why no correction is needed.");
  if (!(await acknowledgeByStaff(context, key, { because, by: currentOsUser(), now })))
    throw new Error(`No open discrepancy has the key ${key}.`);
  console.log(`${key} acknowledged.`);
}

function show(differences: readonly StoredDiscrepancy[]): void {
  for (const { key, what, amountMinor, currency, firstSeenAt, resolvedAt, acknowledged } of differences) {
    const state =
      resolvedAt !== null
        ? `resolved ${utcDay(resolvedAt)}`
        : acknowledged === null
          ? "open"
          : `acknowledged ${utcDay(acknowledged.at)}: ${acknowledged.because}`;
    console.log(
      `${key}\n    ${formatMoney(money(amountMinor, currency))}, since ${utcDay(firstSeenAt)}, ${state}\n    ${what}`,
    );
  }
  const open = differences.filter(
    ({ resolvedAt, acknowledged }) => resolvedAt === null && acknowledged === null,
  );
  console.log(open.length === 0 ? "No discrepancies." : `${open.length} open.`);
  if (open.length > 0 && process.exitCode === undefined) process.exitCode = differs;
}
