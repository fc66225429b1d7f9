/** The data of the sign-in steps, as their loader sends it. */
import type { GoogleSignInView } from "./google/sign-in-form.tsx";
import type { MicrosoftSignInView } from "./microsoft/sign-in-step.tsx";

export interface SignInView {
  asks: MicrosoftSignInView | GoogleSignInView;
  /** Why the step asks again, or null the first time. */
  problem: string | null;
  /** Seconds until the page reloads in browsers without scripts. */
  refreshSeconds?: number;
}
