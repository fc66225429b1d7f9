/** The year of sixty subscriptions, of every family and term, in both countries (`npm run test:drill -- year`). */
import { afterAll } from "vitest";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { allParts } from "./lifecycle-scripts.ts";
import { proveYear } from "./prove.ts";

proveYear(allParts, 3_600_000);
afterAll(() => reportDrillResult("year", { "subscriptions through a year": allParts.length }, null));
