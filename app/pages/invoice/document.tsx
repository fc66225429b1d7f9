/** An invoice or a credit note as a page to read and print. The page is in the visitor's language, the document in its own. */
import type { InvoiceView } from "#server/billing/documents/view.ts";
import * as paths from "#server/foundation/paths.ts";
import { PriceBreakdown, type PriceBreakdownView } from "../../journey/review.tsx";
import { Callout } from "../../ui/callout.tsx";
import { PrintableDocument } from "../../ui/printable-document.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

/**
 * @param pdf link to its PDF; null while it must not be handed out
 * @param computed how its total was computed; left out for a credit note
 * @param replacedBy the corrected invoice that replaced it, and the link to the credit note that cancelled it
 * @param correct link to request a corrected invoice
 */
export function DocumentPage({
  view,
  pdf,
  computed = null,
  replacedBy = null,
  correct = null,
}: {
  view: InvoiceView;
  pdf: string | null;
  computed?: PriceBreakdownView | null;
  replacedBy?: { number: string; href: string; note: string | null } | null;
  correct?: { href: string; label: string } | null;
}) {
  const text = useTranslate();
  return (
    <div className="page">
      <p className="actions off-paper">
        {pdf !== null && (
          <a className="button" href={pdf}>
            {text("invoice.download")}
          </a>
        )}{" "}
        <a href={paths.myOrders()}>{text("site.myOrders")}</a>{" "}
        <a href={paths.subscriptions()}>{text("invoice.mySubscriptions")}</a>{" "}
        {correct !== null && <a href={correct.href}>{correct.label}</a>}
      </p>
      {replacedBy !== null && (
        <Callout type="info">
          <Rich
            text={text("corrections.wasReplaced", { number: replacedBy.number })}
            parts={{
              invoice: (inner) => <a href={replacedBy.href}>{inner}</a>,
              note: (inner) => (replacedBy.note === null ? inner : <a href={replacedBy.note}>{inner}</a>),
            }}
          />
        </Callout>
      )}
      {view.registration?.notice != null && <Callout type="info">{view.registration.notice}</Callout>}
      <PrintableDocument view={view} />
      {computed !== null && (
        <div className="off-paper">
          <PriceBreakdown {...computed} />
        </div>
      )}
    </div>
  );
}
