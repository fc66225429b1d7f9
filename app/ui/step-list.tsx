/** Past and coming steps in a column: a timeline, or a list of tasks. */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

/** "upcoming" happens automatically; "todo" is for the reader to do. */
export type StepListState = "done" | "now" | "upcoming" | "todo" | "failed";

const signs: Readonly<Partial<Record<StepListState, string>>> = {
  done: "tick",
  now: "clock",
  failed: "alert",
};

export interface StepListItem {
  readonly title: string;
  readonly state: StepListState;
  /** The state as text, for a reader who cannot see the sign. Left out where the text below contains it. */
  readonly stateWord?: string;
  readonly children?: ReactNode;
}

/** Belongs below a second-level heading. Steps without their own sign show their number. */
export function StepList({ steps }: { steps: readonly StepListItem[] }) {
  return (
    <ol className="story">
      {steps.map(({ title, state, stateWord, children }, index) => (
        <li key={title} className={state} aria-current={state === "now" ? "step" : undefined}>
          <span className="dot" aria-hidden="true">
            {signs[state] === undefined ? index + 1 : <Icon name={signs[state]} size={16} />}
          </span>
          <h3>
            <span>{title}</span>
            {stateWord !== undefined && <span className="visually-hidden">{` (${stateWord})`}</span>}
          </h3>
          {children}
        </li>
      ))}
    </ol>
  );
}
