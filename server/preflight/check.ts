/**
 * What is looked at before a store goes live: the contract of a check, and what it finds. A check changes nothing, and what it says
 * contains no secret.
 */
import type { Context } from "#server/context.ts";
import { ProviderError } from "#server/providers/errors.ts";

/** Unknown = it cannot be read here, and a person has to look. */
export type Finding =
  | { status: "right"; what: string }
  | { status: "missing" | "wrong" | "unknown"; what: string /** What to do about it. */; how: string };

export type CheckStatus = Finding["status"];

/** What checks look at. */
export interface CheckContext {
  context: Context;
  /** The environment, for what stands in it beside what it means. */
  source: Readonly<Record<string, string | undefined>>;
  /** Whose name and contacts are on the pages. */
  brand: { readonly name: string };
  /** The names of the build's migrations. */
  built: readonly string[];
  /** How many processes of each kind there are to be. */
  processes: { webs: number; workers: number };
  now: Date;
}

export interface Check {
  /** As it is asked for by name. */
  id: string;
  /** In the report. */
  name: string;
  /** @returns at least one finding. What it throws is found to be wrong. */
  look(looking: CheckContext): Promise<Finding[]>;
}

export const ok = (what: string): Finding => ({ status: "right", what });
export const missing = (what: string, how: string): Finding => ({ status: "missing", what, how });
export const invalid = (what: string, how: string): Finding => ({ status: "wrong", what, how });
export const unknown = (what: string, how: string): Finding => ({ status: "unknown", what, how });

/**
 * What is found, or that it could not be looked at: what fails must not hide the rest.
 * @param whose begins the sentence: "Microsoft"
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
