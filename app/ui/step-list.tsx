/** What happened and what comes, one below the other: a timeline, or a list of things to do. */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

/** Ahead is what comes by itself; todo is for the reader to do. */
export type StepListState = "done" | "now" | "upcoming" | "todo" | "failed";

const signs: Readonly<Partial<Record<StepListState, string>>> = {
  done: "tick",
  now: "clock",
  failed: "alert",
};

export interface StepListItem {
  readonly title: string;
  readonly state: StepListState;
  /** The state in a word, for who does not see the sign. Left out where the text below says it. */
  readonly stateWord?: string;
  readonly children?: ReactNode;
}

/** Below a heading of the second level. Steps without a sign of their own have their number. */
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
