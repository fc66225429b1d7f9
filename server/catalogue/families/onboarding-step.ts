/** A buyer's task at the vendor when a new account is ready. */
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";

export interface OnboardingStep {
  readonly title: MessageDescriptor;
  /** Description of the page there, and what to do. */
  readonly text: MessageDescriptor;
  /** Path through the vendor's menus, in the vendor's own words. */
  readonly menus: readonly string[];
  readonly href: string;
}
