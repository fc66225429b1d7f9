/** Shared parts of the operator's commands: the database, the messages for wrong requests, and the user who runs them. */
import { userInfo } from "node:os";
import { createDb, createPool } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { limitEgress } from "#server/foundation/security/egress.ts";
import { type Context, createContext } from "#server/platform/context.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { type Env, readEnv } from "#server/platform/env.ts";
import { requireDatabaseUrl } from "./database-url.ts";

// The reader of the report may stop early (`| head`). The command still completes its work.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/**
 * Runs a command with its arguments. Prints one sentence for a refusal, and the stack for a fault of ours.
 * @param refusedCode the exit code of a refusal
 */
export async function runOperatorCommand(
  run: (db: Db, args: string[]) => Promise<void>,
  refusedCode = 1,
): Promise<void> {
  const db = createDb(createPool(requireDatabaseUrl(), 1));
  try {
    await run(db, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = refusedCode;
  } finally {
    await db.destroy();
  }
}

/**
 * Creates the context of a command that needs all settings. A person reads the report, so the log shows only problems unless
 * LOG_LEVEL says otherwise. Ends the process and names the missing settings.
 */
export function commandContext(name: string, logLevel = "warn"): Context {
  const env = readSettings(logLevel);
  limitEgress(destinationsOf(env));
  return createContext(env, name);
}

function readSettings(logLevel: string): Env {
  try {
    return readEnv({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? logLevel });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** Returns the OS user; in a container it may have a number but no name. */
export function currentOsUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Parses an amount such as "123.45" or "123" into minor units. @throws the result of `wrong` */
export function amountArgument(text: string, wrong: (why: string) => DomainError): number {
  const minor = parseMinor(text);
  if (minor === null) throw wrong(`"${text}" isn't a valid amount. Use a number such as 123.45.`);
  return minor;
}
