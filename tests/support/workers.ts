/** Additional workers for a stack: measurements use one, two and four of them. */
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import type { Stack } from "./stack.ts";

/** @param stack without a worker */
export function startWorkers(stack: Pick<Stack, "env">, count: number): Child[] {
  return Array.from({ length: count }, (_, index) =>
    startChild({
      name: `worker ${index + 1}`,
      args: builtCommandArguments("worker"),
      env: stack.env,
      onLine: () => undefined,
    }),
  );
}
