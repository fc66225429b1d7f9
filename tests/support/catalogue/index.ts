/** The test catalogue: like the store's, but with its own prices, so that the store's prices can change. */
import { catalogueOf } from "#db/seed/index.ts";
import { brio } from "./brio.ts";
import { google } from "./google.ts";
import { microsoft } from "./microsoft.ts";

export const catalogue = catalogueOf({ microsoft, google, brio });
