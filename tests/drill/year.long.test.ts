/** A year with every possible event in a subscription's life: the short form of year.drill.ts. */

import { fewParts } from "./lifecycle-scripts.ts";
import { proveYear } from "./prove.ts";

proveYear(fewParts, 600_000);
