/** What happened and what comes, one below the other: a timeline, or a list of things to do. */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

/** Ahead is what comes by itself; todo is for the reader to do. */
export type Happening = "done" | "now" | "ahead" | "todo" | "bad";

const signs: Readonly<Partial<Record<Happening, string>>> = { done: "tick", now: "clock", bad: "alert" };

export interface StoryStep {
  readonly title: string;
  readonly state: Happening;
  /** The state in a word, for who does not see the sign. Left out where the text below says it. */
  readonly stateWord?: string;
  readonly children?: ReactNode;
}

/** Below a heading of the second level. Steps without a sign of their own have their number. */
export function Story({ steps }: { steps: readonly StoryStep[] }) {
  return (
    <ol className="story">
      {steps.map(({ title, state, stateWord, children }, index) => (
        <li key={title} className={state} aria-current={state === "now" ? "step" : undefined}>
          <span className="dot" aria-hidden="true">
            {signs[state] === undefined ? index + 1 : <Icon name={signs[state]} size={16} />}
          </span>
          <h3>
            {title}
            {stateWord !== undefined && <span className="visually-hidden"> ({stateWord})</span>}
          </h3>
          {children}
        </li>
      ))}
    </ol>
  );
}
