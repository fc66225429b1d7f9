/** Chooses the questions of a family's sign-in step. */
import type { SubmissionResult } from "@conform-to/react";
import { GoogleSignInForm } from "./google/sign-in-form.tsx";
import { MicrosoftSignIn } from "./microsoft/sign-in-step.tsx";
import type { SignInView } from "./sign-in-view.ts";

export function SignInQuestions(props: {
  asks: SignInView["asks"];
  lastResult: SubmissionResult<string[]> | undefined;
  /** Values that the refused field would take. */
  offers: readonly string[];
}) {
  const { asks, lastResult, offers } = props;
  switch (asks.family) {
    case "microsoft":
      return <MicrosoftSignIn {...asks} lastResult={lastResult} offers={offers} />;
    case "google":
      // A new key starts a new form, so that a refused answer is not shown again.
      return <GoogleSignInForm key={asks.attempt} {...asks} lastResult={lastResult} />;
  }
}
