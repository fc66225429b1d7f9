/** The year of sixty subscriptions, of every family and term, in both countries (`npm run drill -- year`). */
import { afterAll } from "vitest";
import { tellVerdict } from "#tests/support/verdict.ts";
import { proveYear } from "./prove.ts";
import { allParts } from "./stories.ts";

proveYear(allParts, 3_600_000);
afterAll(() => tellVerdict("year", { "subscriptions through a year": allParts.length }, null));
