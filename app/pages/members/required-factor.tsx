/** An owner's setting whether every member must use two-step sign-in. */
import * as paths from "#server/foundation/paths.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

interface RequiredFactorProps {
  isRequired: boolean;
  members: number;
  /** Number of members who have set it up. */
  withFactor: number;
  ownerHasIt: boolean;
}

export function RequiredFactor({
  isRequired,
  members: all,
  withFactor: count,
  ownerHasIt,
}: RequiredFactorProps) {
  const text = useTranslate();
  return (
    <section aria-labelledby="second-factor-title">
      <h2 id="second-factor-title">{text("members.twoStep")}</h2>
      <p>{text(isRequired ? "members.twoStepRequired" : "members.twoStepLead", { count, all })}</p>
      {isRequired || ownerHasIt ? (
        <form method="post">
          <SubmitButton
            name="intent"
            value={isRequired ? "leave-second-factor" : "require-second-factor"}
            variant="quiet"
          >
            {text(isRequired ? "members.twoStepOptional" : "members.requireTwoStep")}
          </SubmitButton>
        </form>
      ) : (
        <p>
          <Rich
            text={text("members.twoStepOwnFirst")}
            parts={{ link: (words) => <a href={paths.secondFactor()}>{words}</a> }}
          />
        </p>
      )}
    </section>
  );
}
