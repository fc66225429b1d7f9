/** A year in which everything that may become of a subscription becomes of one: the short form of year.drill.ts. */

import { fewParts } from "./lifecycle-scripts.ts";
import { proveYear } from "./prove.ts";

proveYear(fewParts, 600_000);
