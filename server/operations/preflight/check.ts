/**
 * Contract of the checks before a store goes live, and of their findings. A check changes nothing, and its findings contain no secret.
 */

import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";

/** unknown: it cannot be read here, and a person has to look. */
export type Finding =
  | { status: "right"; what: string }
  | { status: "missing" | "wrong" | "unknown"; what: string /** Steps to fix it. */; how: string };

export type CheckStatus = Finding["status"];

/** Input of the checks. */
export interface CheckContext {
  context: Context;
  /** The environment as text, in addition to its parsed settings in `context`. */
  source: Readonly<Record<string, string | undefined>>;
  /** Brand whose name and contacts are on the pages. */
  brand: { readonly name: string };
  /** The names of the build's migrations. */
  built: readonly string[];
  /** Planned number of processes of each kind. */
  processes: { webs: number; workers: number };
  now: Date;
}

export interface Check {
  /** Argument of `npm run preflight` that selects the check. */
  id: string;
  /** Name in the report. */
  name: string;
  /** @returns at least one finding. What it throws is found to be wrong. */
  look(looking: CheckContext): Promise<Finding[]>;
}

export const ok = (what: string): Finding => ({ status: "right", what });
export const missing = (what: string, how: string): Finding => ({ status: "missing", what, how });
export const invalid = (what: string, how: string): Finding => ({ status: "wrong", what, how });
export const unknown = (what: string, how: string): Finding => ({ status: "unknown", what, how });

/**
 * Runs a check. If it throws, returns a finding that says so, and the other checks still run.
 * @param whose the subject, as in "Couldn't check Microsoft"
 */
export async function unknownOnError(whose: string, find: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await find();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const said = error instanceof ProviderError ? error.description : undefined;
    return [
      invalid(
        `Couldn't check ${whose}: ${[reason, said].filter(Boolean).join(": ")}.`,
        "Fix this, then check again.",
      ),
    ];
  }
}
