/** The notice for an account with an unconfirmed email, with the one action to take. */
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export function ConfirmEmail({ email, children }: { email: string; children: string }) {
  const text = useTranslate();
  return (
    <Callout type="info">
      <p>
        {children}{" "}
        <Rich
          text={text("account.linkConfirms", { email })}
          parts={{ email: (words) => <Breakable>{words}</Breakable> }}
        />
      </p>
      <form method="post" action={paths.passwordLink()}>
        <SubmitButton variant="quiet">{text("account.emailLink")}</SubmitButton>
      </form>
    </Callout>
  );
}
