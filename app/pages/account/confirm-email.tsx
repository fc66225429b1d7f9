/** The notice for an account with an unconfirmed email, with the one action to take. */
import * as paths from "#server/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

export function ConfirmEmail({ email, children }: { email: string; children: string }) {
  return (
    <Callout type="info">
      <p>
        {children} We will email a link to <Breakable>{email}</Breakable>; with it you choose a password, and
        sign in again.
      </p>
      <form method="post" action={paths.passwordLink()}>
        <SubmitButton look="quiet">Email me the link</SubmitButton>
      </form>
    </Callout>
  );
}
