/**
 * `npm run reencrypt`: re-encrypts all data encrypted at rest with the first encryption key, and reports when the other keys can
 * be removed.
 */
import { reEncryptAll } from "#server/foundation/security/reencrypt.ts";
import { commandContext } from "./operator.ts";

const context = commandContext("reencrypt");
try {
  const [first, ...others] = context.encryptionKeys;
  let left = 0;
  let unreadable = 0;
  for (const table of await reEncryptAll(context)) {
    console.log(
      `${table.table}: ${table.moved} re-encrypted, ${table.changed} changed meanwhile, ${table.unreadable} unreadable`,
    );
    left += table.changed;
    unreadable += table.unreadable;
  }
  if (unreadable > 0) {
    console.log(
      `${unreadable} can't be decrypted with these keys. Add the key they were encrypted with and run this again.`,
    );
    process.exitCode = 1;
  } else if (left > 0) {
    console.log("Some changed during the run. Run this again.");
    process.exitCode = 1;
  } else if (others.length === 0) {
    console.log(`Everything is encrypted with ${first.id}, the only key.`);
  } else {
    console.log(
      `Everything is encrypted with ${first.id}. You can remove the other keys once every process uses it.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}
