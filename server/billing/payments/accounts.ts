/** Our accounts at the payment providers, one a country (docs/decisions/countries.md#payment-accounts): those that can be asked, and those lost. */
import { listAccountsInUse } from "#db/billing/due-intents.ts";
import type { ProviderAccount } from "#db/billing/payment-keys.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { paymentProviders } from "./registry.ts";

/** Whether an account's settings exist, so that it can be called. */
export function isAccountConfigured(env: Env, { provider, account }: ProviderAccount): boolean {
  return paymentProviders[provider].accounts(env).includes(account);
}

/** Lists the accounts with expected payments or pending refunds whose settings are missing. */
export async function listUnconfiguredAccounts({
  db,
  env,
}: Pick<Context, "db" | "env">): Promise<ProviderAccount[]> {
  return (await listAccountsInUse(db)).filter((each) => !isAccountConfigured(env, each));
}
