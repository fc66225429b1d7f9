/**
 * `npm run preflight`: reports what is missing or wrong before a store goes live. Changes nothing, and prints no secret. Ends
 * with 0 when nothing is missing or wrong, otherwise with 1.
 *   (nothing)                      runs every check
 *   -- mail-records clock          runs only these; an unknown name lists all
 *   -- --webs 3 --workers 2        planned number of processes, which share the connections; 2 of each by default
 */
import { parseArgs } from "node:util";
import { brand } from "#server/foundation/brand.ts";
import { limitEgress } from "#server/foundation/security/egress.ts";
import { type CheckStatus, unknownOnError } from "#server/operations/preflight/check.ts";
import { checks } from "#server/operations/preflight/checks.ts";
import { createContext } from "#server/platform/context.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { type Env, readEnv } from "#server/platform/env.ts";
import { migrationNames } from "../built-commands.mjs";

const usage = `npm run preflight -- [CHECK ...] [--webs 2] [--workers 2]\nCHECK is one of\n${checks.map(({ id, name }) => `  ${id.padEnd(22)} ${name}`).join("\n")}`;
const counts: Record<CheckStatus, number> = { right: 0, missing: 0, wrong: 0, unknown: 0 };

const options = readArguments();
const env = readSettings();
if (options !== null && env !== null) await report(options, env);
else process.exitCode = 1;

interface CommandInput {
  ids: readonly string[];
  webs: number;
  workers: number;
}

function readArguments(): CommandInput | null {
  try {
    const { values, positionals: ids } = parseArgs({
      allowPositionals: true,
      options: { webs: { type: "string", default: "2" }, workers: { type: "string", default: "2" } },
    });
    const [webs, workers] = [Number(values.webs), Number(values.workers)];
    const isKnown = ids.every((id) => checks.some((check) => check.id === id));
    if (isKnown && isCount(webs) && isCount(workers)) return { ids, webs, workers };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  console.error(usage);
  return null;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

/** Reads the settings; no other check can run without them. */
function readSettings(): Env | null {
  try {
    return readEnv({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" });
  } catch (error) {
    console.log(`missing  Settings: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

async function report({ ids, webs, workers }: CommandInput, settings: Env): Promise<void> {
  limitEgress(destinationsOf(settings));
  const context = createContext(settings, "preflight");
  try {
    const looking = {
      context,
      source: process.env,
      brand,
      built: migrationNames(),
      processes: { webs, workers },
      now: new Date(),
    };
    for (const check of checks.filter(({ id }) => ids.length === 0 || ids.includes(id)))
      for (const finding of await unknownOnError("It", () => check.look(looking))) {
        counts[finding.status] += 1;
        console.log(`${finding.status.padEnd(8)} ${check.name}: ${finding.what}`);
        if (finding.status !== "right") console.log(`         ${finding.how}`);
      }
    const { missing, wrong, unknown, right } = counts;
    console.log(`${missing} missing, ${wrong} wrong, ${unknown} unknown, ${right} right.`);
    if (missing > 0 || wrong > 0) process.exitCode = 1;
  } finally {
    await context.db.destroy();
  }
}
