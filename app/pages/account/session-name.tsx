/** A session by its browser: the one in use, or another with the button that ends it. */
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

interface SessionNameProps {
  id: string;
  device: string;
  isThisOne: boolean;
}

export function SessionName({ id, device, isThisOne }: SessionNameProps) {
  const text = useTranslate();
  if (isThisOne) {
    return (
      <>
        {device} <span className="hint">{text("account.thisOne")}</span>
      </>
    );
  }
  return (
    <form method="post">
      {device} <input type="hidden" name="session" value={id} />
      <SubmitButton variant="quiet">
        <Rich
          text={text("account.endSession", { device })}
          parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
        />
      </SubmitButton>
    </form>
  );
}
