/** The screens of each family. docs/extend/family.md adds another. */
import type { FamilyId } from "#db/tables/enums.ts";
import { brio } from "./brio/index.ts";
import type { FamilyScreens } from "./family.ts";
import { google } from "./google/index.ts";
import { microsoft } from "./microsoft/index.ts";

export const screens: Readonly<Record<FamilyId, FamilyScreens>> = { microsoft, google, brio };
