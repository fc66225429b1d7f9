/** Progress in a journey: a bar with one part per step. A phone shows the step's name in the page's heading instead. */

export interface ProgressStep {
  readonly title: string;
  readonly state: "done" | "current" | "ahead";
  /** The step's link while it may still be opened. */
  readonly href: string | null;
}

/** @param done "done" in the page's language, for screen readers */
export function Progress(props: { steps: readonly ProgressStep[]; label: string; done: string }) {
  const { steps, label, done } = props;
  return (
    <nav className="progress" aria-label={label}>
      <ol>
        {steps.map(({ title, state, href }) => (
          <li key={title} className={state} aria-current={state === "current" ? "step" : undefined}>
            {href === null ? <span>{title}</span> : <a href={href}>{title}</a>}
            {state === "done" && <span className="visually-hidden"> ({done})</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
