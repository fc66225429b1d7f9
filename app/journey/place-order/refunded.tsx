/** End of an order whose payment arrived when it could no longer be fulfilled. */
import * as paths from "#server/foundation/paths.ts";
import { Money } from "../../ui/money.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export function Refunded(props: { orderNumber: string; amount: string; reason: string; email: string }) {
  const text = useTranslate();
  return (
    <>
      <h1>{text("waiting.refunded")}</h1>
      <p className="lead">{text("waiting.couldNot", { reason: props.reason })}</p>
      <p>
        <Rich
          text={text("waiting.goesBack", { amount: props.amount })}
          parts={{ amount: (inner) => <Money>{inner}</Money> }}
        />
      </p>
      <p>
        <Rich
          text={text("waiting.mailed", { email: props.email, number: props.orderNumber })}
          parts={{ number: (inner) => <code>{inner}</code> }}
        />
      </p>
      <p>
        <a className="button" href={paths.subscriptions()}>
          {text("waiting.subscriptions")}
        </a>
      </p>
    </>
  );
}
