/** Runs one of the operator's commands against a store, as `npm run` does. */
import { builtCommandArguments, type builtCommands } from "#server/operations/built-commands.mjs";
import { startChild } from "#server/operations/child-process.ts";
import type { Stack } from "./stack.ts";

/** @returns how it ended ("code 0") and its output */
export async function runCommand(
  { env }: Pick<Stack, "env">,
  name: (typeof builtCommands)[number],
  ...args: string[]
): Promise<{ how: string; said: string }> {
  const lines: string[] = [];
  const child = startChild({
    name,
    args: builtCommandArguments(name, ...args),
    env,
    onLine: (line) => lines.push(line),
  });
  return { how: await child.ended, said: lines.join("\n") };
}
