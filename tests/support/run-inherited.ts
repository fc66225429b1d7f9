/** Runs a command in the same terminal. */
import { spawn } from "node:child_process";

/** @returns its exit code; 1 when it could not be started or was ended by a signal */
export function runInherited(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
