/**
 * The journey's side panel: the steps up to the current one marked, the order in short, and a way to a person. On a narrow
 * screen a toggle at the bottom edge opens it, and keeps the step and the total in sight.
 */
import { useLocation } from "@remix-run/react";
import type { OrderStepSlug } from "../paths.ts";
import { Popup, togglesPopover } from "../ui/dialog.tsx";
import { BurgerIcon } from "../ui/icons.tsx";
import { Money } from "../ui/money.tsx";
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

const preview = "service-preview";

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
          <strong>
            <span className="visually-hidden">Total </span>
            <Money>{total}</Money>
          </strong>
        )}
      </summary>
    </details>
  );
}
