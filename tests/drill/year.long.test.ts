/** A year in which everything that may become of a subscription becomes of one: the short form of year.drill.ts. */
import { proveYear } from "./prove.ts";
import { fewParts } from "./stories.ts";

proveYear(fewParts, 600_000);
