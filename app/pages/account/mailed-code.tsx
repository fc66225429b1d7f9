/** Button that emails an account without a password the code that each change asks for. */
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

/** @param next the page that asks for the code */
export function MailedCode({ email, next }: { email: string; next: string }) {
  const text = useTranslate();
  return (
    <form method="post" action={paths.mailedCode(next)}>
      <p>
        <Rich
          text={text("account.codeInstead", { email })}
          parts={{ email: (words) => <Breakable>{words}</Breakable> }}
        />
      </p>
      <SubmitButton variant="quiet">{text("account.emailCode")}</SubmitButton>
    </form>
  );
}
