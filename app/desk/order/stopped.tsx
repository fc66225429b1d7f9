/** Banner of an order that needs attention: the reason as a sentence, what to do, and the action that resumes it. */
import * as paths from "#server/foundation/paths.ts";
import { Money } from "../../ui/money.tsx";
import type { TimeView } from "../view.ts";
import { Claim, RawText } from "../work-item.tsx";

export interface StoppedView {
  kind: string;
  key: string;
  name: string;
  reason: { sentence: string; raw: string | null };
  toDo: string;
  age: string;
  since: TimeView;
  amount: string | null;
  taken: { by: string; isYou: boolean } | null;
  acts: readonly { label: string; path: string }[];
  /** The staff action that resumes a stopped order; null for anything else. */
  again: { label: string; href: string } | null;
}

interface StoppedProps {
  items: readonly StoppedView[];
  mayTake: boolean;
  isAdmin: boolean;
}

export function Stopped({ items, mayTake, isAdmin }: StoppedProps) {
  return items.map((item) => (
    <section key={item.name} className="stopped" aria-label={item.name}>
      <div>
        <h2>{item.reason.sentence}</h2>
        <p>{item.toDo}</p>
        <p className="hint">
          Waiting since <time dateTime={item.since.iso}>{item.since.text}</time>
          {item.amount !== null && (
            <>
              , <Money>{item.amount}</Money>
            </>
          )}
        </p>
        <RawText reason={item.reason} />
      </div>
      <div className="row-actions">
        {item.again !== null && (
          <a className="button" href={item.again.href}>
            {item.again.label}
          </a>
        )}
        <Claim item={item} mayTake={mayTake} isAdmin={isAdmin} action={paths.desk()} />
      </div>
    </section>
  ));
}
