/** Checks at startup that the database fits this build. With a mismatch, every other order would fail. */
import { requireBuiltMigrations } from "#db/migrate.ts";
import { countryKey, type References, readReferences } from "#db/platform/reference.ts";
import { familyRows } from "#db/seed/families.ts";
import { listUnconfiguredAccounts } from "#server/billing/payments/accounts.ts";
import { paymentProviderIds } from "#server/billing/payments/registry.ts";
import { staffRoles } from "#server/desk/roles.ts";
import { countries, countryCodes, currencies } from "#server/foundation/countries/registry.ts";
import type { Context } from "#server/platform/context.ts";

/** Families, countries, currencies, payment providers and staff roles of this build. */
const ours: References = {
  families: familyRows.map(({ id }) => id),
  currencies,
  countries: countryCodes.map((code) => countryKey(code, countries[code].currency)),
  paymentProviders: paymentProviderIds,
  staffRoles,
};
const kinds = ["families", "currencies", "countries", "paymentProviders", "staffRoles"] as const;

/**
 * Runs the checks of the web process.
 * @param built the names of the build's migrations
 * @throws as requireBuiltMigrations and requireReferenceTables
 */
export async function requireDatabase(
  context: Pick<Context, "db" | "env" | "pool" | "log">,
  built: readonly string[],
): Promise<void> {
  await requireBuiltMigrations(context.pool, built);
  await requireReferenceTables(context);
  await reportLostAccounts(context);
}

/**
 * Logs the accounts that a payment or a refund waits for and whose settings are missing. The store still starts, since its other
 * countries can sell.
 */
export async function reportLostAccounts(context: Pick<Context, "db" | "env" | "log">): Promise<void> {
  const accounts = await listUnconfiguredAccounts(context);
  if (accounts.length === 0) return;
  context.log.error({ accounts }, "payments or refunds wait for accounts whose settings are missing");
}

/**
 * Compares the reference tables with this build. Values that only the database has are just logged: the release that added them
 * has already migrated, or was rolled back.
 * @throws Error naming the values that the database lacks
 */
export async function requireReferenceTables({ db, log }: Pick<Context, "db" | "log">): Promise<void> {
  const theirs = await readReferences(db);
  const missing = kinds.flatMap((kind) => named(kind, ours[kind], theirs?.[kind] ?? []));
  if (missing.length > 0) {
    throw new Error(
      `The database is older than this build. Missing: ${missing.join("; ")}.\nRun this first: npm run migrate`,
    );
  }
  const surplus = kinds.flatMap((kind) => named(kind, theirs?.[kind] ?? [], ours[kind]));
  if (surplus.length > 0) log.warn({ surplus }, "the database knows more than this build sells");
}

function named(kind: string, all: readonly string[], known: readonly string[]): string[] {
  const unknown = all.filter((each) => !known.includes(each));
  return unknown.length === 0 ? [] : [`${kind} ${unknown.join(", ")}`];
}
