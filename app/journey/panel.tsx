/**
 * The journey's side panel: the steps so far, a summary of the order, and how to contact a person. On a narrow screen a
 * toggle above the step opens it.
 */
import type { OrderStepSlug } from "#server/foundation/paths.ts";
import { Popup, togglesPopover } from "../ui/dialog.tsx";
import { Money } from "../ui/money.tsx";
import { PriceSummary } from "../ui/price-summary.tsx";
import { Rich, useTranslate } from "../ui/text.tsx";

export interface PanelStep {
  slug: OrderStepSlug;
  title: string;
  state: "done" | "current" | "ahead";
  /** The step's link while it may still be opened. */
  href: string | null;
}

export interface PanelProps {
  steps: readonly PanelStep[];
  /** Null where the step itself shows the total, which changes there during typing. */
  summary: { name: string; quantity: string; total: string; isPaid: boolean } | null;
  /** The service's description for the preview dialog, or null where the page already shows it. */
  service: { name: string; description: string; features: readonly string[] } | null;
  supportUrl: string;
}

const preview = "service-preview";

export function Panel({ steps, summary, service, supportUrl }: PanelProps) {
  const text = useTranslate();
  return (
    <aside className="panel" aria-label={text("journey.yourOrder")}>
      {!isOver(steps) && <Toggle steps={steps} total={totalOf(summary, text)} />}
      <div className="panel-content">
        <ol className="steps">
          {steps.map((step) => (
            <li
              key={step.slug}
              className={step.state}
              aria-current={step.state === "current" ? "step" : undefined}
            >
              {step.href === null ? <span>{step.title}</span> : <a href={step.href}>{step.title}</a>}
              {step.state === "done" && <span className="visually-hidden">{` ${text("journey.done")}`}</span>}
            </li>
          ))}
        </ol>
        <div className="panel-rest">
          {summary !== null && (
            <PriceSummary
              top={
                <p>
                  <span>{summary.name}</span>
                  <strong className="line">{summary.quantity}</strong>
                </p>
              }
              lines={[]}
              // A paid total is no longer due.
              total={{ label: text(summary.isPaid ? "journey.paid" : "journey.total"), value: summary.total }}
            />
          )}
          {service !== null && (
            <>
              <button type="button" className="quiet" {...togglesPopover(preview)}>
                {text("journey.serviceDetails")}
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
            <Rich
              text={text("journey.trouble")}
              parts={{ link: (inner) => <a href={supportUrl}>{inner}</a> }}
            />
          </p>
        </div>
      </div>
    </aside>
  );
}

/**
 * Shows the position in the order and its total, above an empty `details` element. CSS shows the panel after it while it is open,
 * and always on a wide screen, which `details` cannot do for its own content.
 */
function Toggle({ steps, total }: Pick<PanelProps, "steps"> & { total: string | null }) {
  const text = useTranslate();
  const at = steps.findIndex(({ state }) => state === "current");
  const step = steps[at];
  if (step === undefined) return null;
  return (
    // A new key closes the panel when the step changes.
    <details key={step.slug} className="panel-toggle">
      <summary>
        <span>
          <span>{text("journey.place", { at: at + 1, of: steps.length })}</span>
          <span>{` · ${step.title}`}</span>
        </span>
        <b>
          {total !== null && <Money>{total}</Money>}
          <span className="visually-hidden">{` ${text("journey.toggle")}`}</span>
        </b>
        <span className="segments" aria-hidden>
          {steps.map(({ slug, state }) => (
            <span key={slug} className={state} />
          ))}
        </span>
      </summary>
    </details>
  );
}

/** A paid total is no longer due. */
function totalOf(summary: PanelProps["summary"], text: ReturnType<typeof useTranslate>): string | null {
  if (summary === null) return null;
  return summary.isPaid ? text("journey.sumPaid", { amount: summary.total }) : summary.total;
}

/** Whether the journey is complete. The last step needs no toggle, which would cover the buyer's result. */
export function isOver(steps: readonly PanelStep[]): boolean {
  return steps.at(-1)?.state === "current";
}
