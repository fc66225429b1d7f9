/** Sixty subscription lifecycles (`npm run test:drill -- lives`). */
import { afterAll } from "vitest";
import { proveLives } from "#tests/integration/billing/reconciliation/lifecycles.ts";
import { reportDrillResult } from "#tests/support/drill-result.ts";

const lives = 60;
proveLives(lives);
// Each lifecycle has its number as seed.
afterAll(() => reportDrillResult("lives", { lives }, `1 to ${lives}`));
