/**
 * Reads vendors' bills: lists those of a month, requests and awaits each, and stores its lines in one transaction. An export
 * that a vendor prepares is stored, so that a later run continues waiting for it.
 */
import { createHash } from "node:crypto";
import {
  matchBillLines,
  recordStatement,
  type StatementKey,
  saveBillLines,
  saveOperation,
  type VendorBillLine,
} from "#db/billing/vendor-bills.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { BillError, type BillRules } from "#server/catalogue/families/bills.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { utcMonth } from "./days.ts";

/** One of our accounts that a vendor bills. */
export interface BilledAccount {
  family: FamilyId;
  /** Account id in the family's notation. */
  account: string;
  /** A country that it sells in. */
  country: Country;
  bills: BillRules;
}

/** Lists each account once, even if it sells in several countries. */
export function billedAccounts({ env }: Pick<Context, "env">): BilledAccount[] {
  const accounts = new Map<string, BilledAccount>();
  for (const family of familyIds) {
    const { bills, vendor, isOpenIn } = families[family];
    if (bills === null || vendor === null) continue;
    for (const country of countryCodes) {
      const account = vendor.accountOf(country);
      if (isOpenIn(env, country) && !accounts.has(account))
        accounts.set(account, { family, account, country, bills });
    }
  }
  return [...accounts.values()];
}

/**
 * Reads the unread bills of a month.
 * @param month "2026-11"
 * @returns how many lines were new, and how many bills the vendor still prepares
 * @throws ProviderError; FileError
 */
export async function readBills(
  context: Context,
  { family, account, country, bills }: BilledAccount,
  month: string,
): Promise<{ lines: number; awaited: number }> {
  const { db } = context;
  let lines = 0;
  let awaited = 0;
  for (const statement of await bills.list(context, country, month)) {
    const noted = await recordStatement(db, { family, account, statement, month });
    if (noted.importedAt !== null) continue;
    const operation = noted.operation ?? (await bills.begin(context, country, noted));
    if (noted.operation === null) await saveOperation(db, noted, operation);
    const read = await readOrForget(context, noted, () => bills.read(context, country, operation));
    if (read === null) awaited += 1;
    else lines += await store(context, noted, read);
  }
  return { lines, awaited };
}

/** Reads an export; if it failed or is gone, forgets it, so that the next run requests a new one. */
async function readOrForget<Lines>(
  { db }: Context,
  statement: StatementKey,
  read: () => Promise<Lines>,
): Promise<Lines> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "refused") await saveOperation(db, statement, null);
    throw error;
  }
}

/**
 * Stores the lines of a file that was downloaded manually. The same file is stored only once.
 * @param file.month "2026-11"; by default that of its earliest charge
 * @returns how many lines were new
 * @throws FileError for an invalid file
 */
export async function importFile(
  context: Context,
  billed: BilledAccount,
  { pieces, month }: { pieces: AsyncIterable<string>; month?: string | undefined },
): Promise<number> {
  return importLines(context, billed, { lines: await billed.bills.parse(pieces), month });
}

/** Stores lines that were read from a file, as `importFile`. @throws BillError when there are none */
export async function importLines(
  context: Context,
  { family, account }: Pick<BilledAccount, "family" | "account">,
  { lines, month }: { lines: readonly VendorBillLine[]; month?: string | undefined },
): Promise<number> {
  const [first] = lines.map(({ startsAt }) => startsAt).toSorted((one, other) => Number(one) - Number(other));
  if (first === undefined) throw new BillError("The file has no lines.");
  const hash = createHash("sha256")
    .update(lines.map(({ lineKey }) => lineKey).join())
    .digest("hex");
  const statement = { family, account, statement: `file:${hash.slice(0, 16)}` };
  await recordStatement(context.db, { ...statement, month: month ?? utcMonth(first) });
  return store(context, statement, lines);
}

async function store(
  { db }: Context,
  statement: StatementKey,
  lines: Parameters<typeof saveBillLines>[2],
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const stored = await saveBillLines(trx, statement, lines);
    await matchBillLines(trx);
    return stored;
  });
}
