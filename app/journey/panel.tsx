/**
 * The journey's side panel: the steps up to the current one marked, the order in short, and a way to a person. On a narrow
 * screen a toggle at the bottom edge opens it, and keeps the step and the total in sight.
 */
import { useLocation } from "@remix-run/react";
import type { OrderStepSlug } from "../paths.ts";
import { BurgerIcon } from "../ui/icons.tsx";
import { navigationAt } from "../ui/navigation.ts";

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
  /** What the service is, for the preview dialog; null where the page itself says it. */
  service: { name: string; description: string; features: readonly string[] } | null;
  supportUrl: string;
}

// React 18 passes these on as they are, and its types do not know them yet.
const opensPreview = { popovertarget: "service-preview" };
const isPopover = { popover: "auto" };

export function Panel({ steps, summary, service, supportUrl }: PanelProps) {
  const { pageSidebar } = navigationAt(useLocation().pathname);
  return (
    <aside className="panel" aria-label="Your order">
      {pageSidebar && <Toggle steps={steps} total={summary?.total ?? null} />}
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
            <dt>Total</dt>
            <dd className="money">{summary.total}</dd>
          </dl>
        )}
        {service !== null && (
          <>
            <button type="button" className="quiet" {...opensPreview}>
              Service details
            </button>
            <div
              id="service-preview"
              className="dialog"
              role="dialog"
              aria-labelledby="service-title"
              {...isPopover}
            >
              <h2 id="service-title">{service.name}</h2>
              <p>{service.description}</p>
              <ul>
                {service.features.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
              <button type="button" className="quiet" {...opensPreview}>
                Close
              </button>
            </div>
          </>
        )}
        <p>
          Having trouble? <a href={supportUrl}>Contact us</a>
        </p>
      </div>
    </aside>
  );
}

/** Holds nothing itself: what follows it is shown while it is open, and always on a wide screen, which no `details` can be told. */
function Toggle({ steps, total }: { steps: readonly PanelStep[]; total: string | null }) {
  const at = steps.findIndex(({ state }) => state === "current");
  const step = steps[at];
  if (step === undefined) return null;
  return (
    // Another step's panel begins closed.
    <details key={step.slug} className="panel-toggle">
      <summary>
        <BurgerIcon />
        <span>
          Step {at + 1} of {steps.length}
          <span className="visually-hidden">: {step.title}, open or close your order</span>
        </span>
        {total !== null && (
          <strong className="money">
            <span className="visually-hidden">Total </span>
            {total}
          </strong>
        )}
      </summary>
    </details>
  );
}
