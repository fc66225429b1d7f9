/** How many requests a second pages get answered, taken in turns so that whatever else the machine does disturbs all alike. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { projectFolder } from "#server/commands/children.ts";
import { median } from "./budgets.ts";

export interface Target {
  name: string;
  url: string;
  cookie?: string;
}

const rounds = 5;
const seconds = 2;
const connections = 10;
const report = z.object({
  requests: z.object({ average: z.number() }),
  non2xx: z.number(),
  errors: z.number(),
});

/** @returns the median of each target, in their order */
export async function throughputOf(targets: readonly Target[]): Promise<number[]> {
  for (const target of targets) await load(target, 1);
  const measured = targets.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, target] of targets.entries()) measured[index]?.push(await load(target, seconds));
  }
  return measured.map(median);
}

/** In a process of its own: reading the server's log here must not slow the asking down. */
async function load({ name, url, cookie }: Target, duration: number): Promise<number> {
  const autocannon = path.join(projectFolder, "node_modules/.bin/autocannon");
  const headers = [
    "accept-encoding: gzip, deflate, br",
    ...(cookie === undefined ? [] : [`cookie: ${cookie}`]),
  ];
  const args = ["--json", "-c", String(connections), "-d", String(duration)];
  const { stdout } = await promisify(execFile)(autocannon, [
    ...args,
    ...headers.flatMap((header) => ["-H", header]),
    url,
  ]);
  const { requests, non2xx, errors } = report.parse(JSON.parse(stdout));
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} refused, ${errors} failed`);
  return requests.average;
}
