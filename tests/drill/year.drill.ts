/** The year of sixty subscriptions, of every family and term, in both countries (`npm run drill`). */
import { proveYear } from "./prove.ts";
import { allParts } from "./stories.ts";

proveYear(allParts, 3_600_000);
