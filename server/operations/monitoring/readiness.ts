/**
 * Whether a process is ready for work: its database responds and has the migrations of its build, and the process is not shutting
 * down. A provider's outage does not make it unready, since other processes would have the same.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ping } from "#db/client.ts";
import { listMissingMigrations } from "#db/migrate.ts";
import type { Context } from "#server/platform/context.ts";

const maxMs = 1_000;

/** Reason why a process is not ready; null when it is. */
export type NotReady = "starting" | "stopping" | "database" | "migrations" | null;

export interface Readiness {
  /** Returns only this reason, since a load balancer may ask from outside. Never throws. */
  check(): Promise<NotReady>;
  /**
   * Marks the start as complete: from now on the process is ready unless something is wrong. A process without start-up work may
   * call it at once.
   */
  begin(): void;
}

/** @throws when the database does not respond */
export function requireAnswer({ healthDb }: Pick<Context, "healthDb">): Promise<void> {
  return ping(healthDb);
}

/**
 * Becomes permanently unready on SIGTERM and SIGINT, before anything else happens.
 * @param built the names of the build's migrations
 */
export function createReadiness(
  { healthDb, log }: Pick<Context, "healthDb" | "log">,
  built: readonly string[],
): Readiness {
  let isBegun = false;
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.prependOnceListener(signal, () => {
      isStopping = true;
    });
  }

  async function ofDatabase(): Promise<NotReady> {
    try {
      const missing = await listMissingMigrations(healthDb, built);
      if (missing.length > 0) log.warn({ missing }, "migrations of this build have not run");
      return missing.length > 0 ? "migrations" : null;
    } catch (error) {
      log.warn({ err: error }, "the database does not answer the readiness check");
      return "database";
    }
  }

  return {
    begin() {
      isBegun = true;
    },
    async check() {
      if (isStopping) return "stopping";
      if (!isBegun) return "starting";
      const late = sleep(maxMs, "database" as const, { ref: false });
      const found = await Promise.race([ofDatabase(), late]);
      // The signal may have arrived in the meantime.
      return isStopping ? "stopping" : found;
    },
  };
}
