/** Secrets that a provider rotates (the partner's refresh token), stored as ciphertext. */
import type { Db } from "./tables/index.ts";

export async function readProviderSecret(db: Db, provider: string): Promise<string | null> {
  const row = await db
    .selectFrom("provider_secrets")
    .select("secret_ciphertext")
    .where("provider", "=", provider)
    .executeTakeFirst();
  return row?.secret_ciphertext ?? null;
}

export async function storeProviderSecret(db: Db, provider: string, ciphertext: string): Promise<void> {
  await db
    .insertInto("provider_secrets")
    .values({ provider, secret_ciphertext: ciphertext })
    .onConflict((oc) =>
      oc.column("provider").doUpdateSet({ secret_ciphertext: ciphertext, updated_at: new Date() }),
    )
    .execute();
}
