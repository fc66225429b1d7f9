/** What the sign-in steps show, as their loader sends it. */
import type { GoogleSignInView } from "./google/sign-in-form.tsx";
import type { MicrosoftSignInView } from "./microsoft/sign-in-step.tsx";

export interface SignInView {
  asks: MicrosoftSignInView | GoogleSignInView;
  /** Why the step asks again; null the first time. */
  problem: string | null;
  /** How soon the page is loaded again where no script can ask. */
  refreshSeconds?: number;
}
