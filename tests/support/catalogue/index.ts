/** The catalogue that tests sell from: like the shop's, with prices of its own, so that the shop may change what it asks for. */
import { catalogueOf } from "#db/seed/index.ts";
import { brio } from "./brio.ts";
import { google } from "./google.ts";
import { microsoft } from "./microsoft.ts";

export const catalogue = catalogueOf({ microsoft, google, brio });
