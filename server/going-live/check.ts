/**
 * What is looked at before a store goes live: the contract of a check, and what it finds. A check changes nothing, and what it says
 * contains no secret.
 */
import type { Context } from "#server/context.ts";
import { ProviderError } from "#server/providers/errors.ts";

/** Unknown = it cannot be read here, and a person has to look. */
export type Finding =
  | { standing: "right"; what: string }
  | { standing: "missing" | "wrong" | "unknown"; what: string /** What to do about it. */; how: string };

export type Standing = Finding["standing"];

/** What checks look at. */
export interface Looking {
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
  look(looking: Looking): Promise<Finding[]>;
}

export const right = (what: string): Finding => ({ standing: "right", what });
export const missing = (what: string, how: string): Finding => ({ standing: "missing", what, how });
export const wrong = (what: string, how: string): Finding => ({ standing: "wrong", what, how });
export const unknown = (what: string, how: string): Finding => ({ standing: "unknown", what, how });

/**
 * What is found, or that it could not be looked at: what fails must not hide the rest.
 * @param whose begins the sentence: "Microsoft"
 */
export async function orFailure(whose: string, find: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await find();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const said = error instanceof ProviderError ? error.description : undefined;
    return [
      wrong(
        `${whose} could not be looked at: ${[reason, said].filter(Boolean).join(": ")}.`,
        "Mend that, and look again.",
      ),
    ];
  }
}
