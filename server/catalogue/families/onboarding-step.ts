/** What a buyer does at the vendor when a new account is ready. */
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";

export interface OnboardingStep {
  readonly title: MessageDescriptor;
  /** What the buyer will see there, and what to do. */
  readonly text: MessageDescriptor;
  /** The vendor's menus to the place, in the vendor's own words. */
  readonly menus: readonly string[];
  readonly href: string;
}
