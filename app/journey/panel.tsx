/**
 * The journey's side panel: the steps so far, a summary of the order, and how to contact a person. On a narrow screen a
 * toggle at the bottom edge opens it and keeps the step and the total in view.
 */
import { useLocation } from "@remix-run/react";
import type { OrderStepSlug } from "#server/paths.ts";
import { Popup, togglesPopover } from "../ui/dialog.tsx";
import { BurgerIcon } from "../ui/icons.tsx";
import { Money } from "../ui/money.tsx";
import { navigationAt } from "../ui/navigation.ts";

export interface PanelStep {
  slug: OrderStepSlug;
  title: string;
  state: "done" | "current" | "ahead";
  /** The step's link while it may still be opened. */
  href: string | null;
}

export interface PanelProps {
  steps: readonly PanelStep[];
  summary: { name: string; quantity: string; total: string; isPaid: boolean } | null;
  /** The service's description for the preview dialog, or null where the page already shows it. */
  service: { name: string; description: string; features: readonly string[] } | null;
  supportUrl: string;
}

const preview = "service-preview";

export function Panel({ steps, summary, service, supportUrl }: PanelProps) {
  const { pageSidebar } = navigationAt(useLocation().pathname);
  // The last step needs no toggle, which would cover what the buyer came for.
  const isOver = steps.at(-1)?.state === "current";
  return (
    <aside className="panel" aria-label="Your order">
      {pageSidebar && !isOver && <Toggle steps={steps} summary={summary} />}
      <div className="panel-content">
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
            <dt>{totalWord(summary)}</dt>
            <dd>
              <Money>{summary.total}</Money>
            </dd>
          </dl>
        )}
        {service !== null && (
          <>
            <button type="button" className="quiet" {...togglesPopover(preview)}>
              Service details
            </button>
            <Popup id={preview} title={service.name}>
              <p>{service.description}</p>
              <ul>
                {service.features.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
            </Popup>
          </>
        )}
        <p>
          Having trouble? <a href={supportUrl}>Contact us</a>
        </p>
      </div>
    </aside>
  );
}

/**
 * An empty `details` element. CSS shows the panel after it while it is open, and always on a wide screen, which `details`
 * cannot do for its own content.
 */
function Toggle({ steps, summary }: Pick<PanelProps, "steps" | "summary">) {
  const at = steps.findIndex(({ state }) => state === "current");
  const step = steps[at];
  if (step === undefined) return null;
  return (
    // A new key closes the panel when the step changes.
    <details key={step.slug} className="panel-toggle">
      <summary>
        <BurgerIcon />
        <span>
          Step {at + 1} of {steps.length}
          <span className="visually-hidden">: {step.title}, open or close your order</span>
        </span>
        {summary !== null && (
          <strong>
            <span className={summary.isPaid ? undefined : "visually-hidden"}>{totalWord(summary)} </span>
            <Money>{summary.total}</Money>
          </strong>
        )}
      </summary>
    </details>
  );
}

/** A paid total is no longer due. */
function totalWord({ isPaid }: { isPaid: boolean }): string {
  return isPaid ? "Paid" : "Total";
}
