/** The states of a paid order: work in progress, which the page follows automatically, and a person handling it. */
import { StepList } from "../ui/step-list.tsx";
import { Rich, useTranslate } from "../ui/text.tsx";
import type { Timeline } from "./timeline-data.ts";

export interface ProgressPoll {
  waitUrl: string;
  waitState: string;
  waitMs: number;
  /** Description of our current work. */
  doing: string;
  /** Why it takes longer than usual; null when it does not. */
  note: string | null;
  timeline: Timeline;
}

export function OrderInProgress({ waitUrl, waitState, waitMs, doing, note, timeline }: ProgressPoll) {
  const text = useTranslate();
  return (
    <>
      <div
        className="working"
        role="status"
        data-wait-url={waitUrl}
        data-wait-state={waitState}
        data-wait-ms={waitMs}
      >
        <p className="lead">{note ?? doing}</p>
        <p className="hint">{text("waiting.movesOn")}</p>
        <progress aria-label={text("waiting.working")} />
      </div>
      <OrderTimeline {...timeline} />
    </>
  );
}

/** Past and coming steps of an order. Renders nothing before the payment. */
export function OrderTimeline({ label, steps }: Timeline) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h2>{label}</h2>
      <StepList
        steps={steps.map(({ when, ...step }) => ({
          ...step,
          children: when === null ? undefined : <p className="when">{when}</p>,
        }))}
      />
    </section>
  );
}

/** The progress as a separate page, for a paid order. */
export function Thanks(wait: ProgressPoll) {
  const text = useTranslate();
  return (
    <>
      <h1>{text("waiting.thanks")}</h1>
      <OrderInProgress {...wait} />
    </>
  );
}

/** An order's number in a sentence. */
const number = (inner: string) => <code>{inner}</code>;

export function NeedsAttention({
  orderNumber,
  supportUrl,
  problem,
  timeline,
}: {
  orderNumber: string;
  supportUrl: string;
  /** The problem that the buyer has to resolve with our team; null when the buyer need not act. */
  problem: string | null;
  timeline: Timeline;
}) {
  const text = useTranslate();
  return (
    <>
      {problem === null ? (
        <>
          <h1>{text("waiting.lookingAfter")}</h1>
          <p className="lead">{text("waiting.safe")}</p>
          <p>
            <Rich text={text("waiting.willMail", { number: orderNumber })} parts={{ number }} />
          </p>
        </>
      ) : (
        <>
          <h1>{text("waiting.correction")}</h1>
          <p className="lead">{text("waiting.correctionSafe", { problem })}</p>
          <p>
            <Rich text={text("waiting.sendDetails", { number: orderNumber })} parts={{ number }} />
          </p>
        </>
      )}
      <OrderTimeline {...timeline} />
      <p>
        <a className="button" href={supportUrl}>
          {text("waiting.contact")}
        </a>
      </p>
    </>
  );
}
