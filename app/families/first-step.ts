/** What a buyer does at the vendor when a new account is ready. */
import type { Told } from "#server/languages/text.ts";

export interface FirstStep {
  readonly title: Told;
  /** What the buyer will see there, and what to do. */
  readonly text: Told;
  /** The vendor's menus to the place, in the vendor's own words. */
  readonly menus: readonly string[];
  readonly href: string;
}
