/** Starts the embedded database as a separate process. */
import { z } from "zod";
import { type Child, type ChildOptions, startChild } from "#server/operations/child-process.ts";
import { programArguments } from "./programs.ts";

const readyMessage = z.object({ databaseUrl: z.string() });

export interface EmbeddedChild extends Child {
  /** The database's address once it answers. Rejects if the process ends first. */
  ready: Promise<string>;
}

/**
 * @param options.args as in embedded-postgres.ts
 * @param options.env added to this process's environment
 */
export function startEmbeddedChild(options: {
  args: readonly string[];
  env?: Record<string, string>;
  onLine: ChildOptions["onLine"];
}): EmbeddedChild {
  let lastLine = "";
  let announce: (url: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const child = startChild({
    name: "database",
    args: programArguments("embedded-postgres", ...options.args),
    env: { ...process.env, ...options.env },
    onLine(line, name) {
      lastLine = line;
      options.onLine(line, name);
    },
    onMessage: (message) => announce(readyMessage.parse(message).databaseUrl),
  });
  const endedEarly = child.ended.then((how): never => {
    throw new Error(`The database did not start (${how}). ${lastLine}`);
  });
  return { ...child, ready: Promise.race([announced, endedEarly]) };
}
