/** The journey's side panel: the steps up to the current one marked, the order in short, and a way to a person. */
import type { OrderStepSlug } from "../paths.ts";

export interface PanelStep {
  slug: OrderStepSlug;
  title: string;
  state: "done" | "current" | "ahead";
  /** A link while the step may still be opened. */
  href: string | null;
}

export interface PanelProps {
  steps: readonly PanelStep[];
  summary: { name: string; quantity: string; total: string } | null;
  supportUrl: string;
}

export function Panel({ steps, summary, supportUrl }: PanelProps) {
  return (
    <aside className="panel" aria-label="Your order">
      <ol className="steps">
        {steps.map((step) => (
          <li
            key={step.slug}
            className={step.state}
            aria-current={step.state === "current" ? "step" : undefined}
          >
            {step.href === null ? step.title : <a href={step.href}>{step.title}</a>}
            {step.state === "done" && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
      {summary !== null && (
        <dl className="summary">
          <dt>{summary.name}</dt>
          <dd>{summary.quantity}</dd>
          <dt>Total</dt>
          <dd className="money">{summary.total}</dd>
        </dl>
      )}
      <p>
        Having trouble? <a href={supportUrl}>Contact us</a>
      </p>
    </aside>
  );
}
