/** Sixty lives of a subscription (`npm run drill -- lives`). */
import { afterAll } from "vitest";
import { proveLives } from "#tests/integration/reconciliation/lives.ts";
import { tellVerdict } from "#tests/support/verdict.ts";

const lives = 60;
proveLives(lives);
// Each life has a seed of its own, which is its number.
afterAll(() => tellVerdict("lives", { lives }, `1 to ${lives}`));
