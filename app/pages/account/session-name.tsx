/** A session's browser and location, with the button that ends it. */
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export function SessionName(props: { device: string; place: string; isThisOne: boolean }) {
  const { device, place, isThisOne } = props;
  const text = useTranslate();
  return (
    <span>
      {device} {isThisOne && <span className="badge good">{text("account.thisOne")}</span>}
      <span className="hint">{place}</span>
    </span>
  );
}

export function EndSession({ id, device }: { id: string; device: string }) {
  const text = useTranslate();
  return (
    <form method="post" className="row-actions">
      <input type="hidden" name="session" value={id} />
      <SubmitButton variant="quiet">
        <Rich
          text={text("account.endSession", { device })}
          parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
        />
      </SubmitButton>
    </form>
  );
}
