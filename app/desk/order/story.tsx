/** Order history, newest first: business events, each with the provider calls that led to it in one collapsed line. */
import type { OrderHistoryEntry } from "#server/desk/order-history.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { MomentView, StoryPart } from "./view.ts";

const icons: Readonly<Record<OrderHistoryEntry["kind"], string>> = {
  order: "tick",
  step: "refresh",
  call: "refresh",
  payment: "card",
  refund: "card",
  dispute: "alert",
  document: "document",
  mail: "mail",
  cancellation: "alert",
  audit: "user",
};

export function Story({ parts }: { parts: readonly StoryPart[] }) {
  return (
    <section aria-labelledby="story">
      <div className="card-head">
        <h2 id="story">Timeline</h2>
        <span className="hint">Newest first</span>
      </div>
      <ol className="story">
        {parts.map(({ moment, calls }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id, and their order never changes
          <li key={index} data-kind={moment?.kind ?? "call"}>
            <span className="dot">
              <Icon name={icons[moment?.kind ?? "call"]} size={16} />
            </span>
            <div>
              {moment !== null && <Moment {...moment} />}
              {calls.length > 0 && <Calls calls={calls} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Moment({ at, title, detail, by }: MomentView) {
  return (
    <>
      <p className="event">
        <b>
          <Breakable>{title}</Breakable>
        </b>
        <time dateTime={at.iso}>{at.text}</time>
      </p>
      {by !== null && <p className="hint">by {by}</p>}
      {detail !== null && (
        <p className="hint">
          <Breakable>{detail}</Breakable>
        </p>
      )}
    </>
  );
}

function Calls({ calls }: { calls: readonly MomentView[] }) {
  const providers = new Set(calls.map(({ provider }) => provider));
  const [only] = providers;
  const whom = providers.size === 1 && only != null ? only.replace(/^The /, "the ") : "providers";
  return (
    <details className="raw">
      <summary>{calls.length === 1 ? `1 call to ${whom}` : `${calls.length} calls to ${whom}`}</summary>
      <ol>
        {calls.map(({ at, title, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={index}>
            <time dateTime={at.iso}>{at.text}</time>{" "}
            <code>
              <Breakable>{[title, detail].filter(Boolean).join("; ")}</Breakable>
            </code>
          </li>
        ))}
      </ol>
    </details>
  );
}
