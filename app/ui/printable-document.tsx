/** The paper of an invoice, a proforma or a credit note, as its PDF shows it. */
import type { InvoiceView } from "#server/billing/documents/view.ts";
import { Money } from "./money.tsx";
import { SummaryList, Totals } from "./summary-list.tsx";

export function PrintableDocument({ view }: { view: InvoiceView }) {
  const { columns } = view;
  return (
    <article className="invoice" lang={view.language}>
      <header>
        <div>
          <h1>{view.title}</h1>
          <p className="number">{view.number}</p>
        </div>
        <Party name={view.supplier.name} lines={view.supplier.lines} />
      </header>
      <div className="sides">
        <section aria-labelledby="billed-to">
          <h2 id="billed-to">{view.billedTo}</h2>
          <Party name={view.recipient.name} lines={view.recipient.lines} />
        </section>
        <SummaryList lines={view.facts} />
      </div>
      <div className="list-frame">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{columns.description}</th>
              {columns.sac !== null && <th scope="col">{columns.sac}</th>}
              {columns.licences !== null && <th scope="col">{columns.licences}</th>}
              {columns.unitPrice !== null && <th scope="col">{columns.unitPrice}</th>}
              <th scope="col">{columns.amount}</th>
            </tr>
          </thead>
          <tbody>
            {view.lines.map(({ description, notes, sac, quantity, unitPrice, amount }) => (
              <tr key={`${unitPrice} ${quantity}`}>
                <th scope="row">
                  <strong>{description}</strong>
                  {notes.map((note) => (
                    <span key={note} className="hint">
                      {note}
                    </span>
                  ))}
                </th>
                {columns.sac !== null && <td data-column={columns.sac}>{sac}</td>}
                {columns.licences !== null && <td data-column={columns.licences}>{quantity}</td>}
                {columns.unitPrice !== null && (
                  <td data-column={columns.unitPrice}>
                    <Money>{unitPrice}</Money>
                  </td>
                )}
                <td data-column={columns.amount}>
                  <Money>{amount}</Money>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Totals lines={view.totals} />
      {view.words !== null && <p>{view.words}</p>}
      {view.endorsements.map((endorsement) => (
        <p key={endorsement}>
          <strong>{endorsement}</strong>
        </p>
      ))}
      {view.registration !== null && view.registration.qr !== null && (
        <div className="sides">
          <SummaryList lines={view.registration.facts} />
          <svg
            role="img"
            aria-label={view.registration.qr.label}
            viewBox={`0 0 ${view.registration.qr.size} ${view.registration.qr.size}`}
            width="240"
            height="240"
            fill="black"
          >
            <rect width="100%" height="100%" fill="white" />
            <path d={view.registration.qr.path} />
          </svg>
        </div>
      )}
      <p className="signature">
        <strong>{view.signature.company}</strong>
        <span>{view.signature.signatory}</span>
      </p>
      {view.closing.map((line) => (
        <p key={line} className="hint">
          {line}
        </p>
      ))}
    </article>
  );
}

function Party({ name, lines }: InvoiceView["supplier"]) {
  return (
    <address>
      <span>
        <strong>{name}</strong>
      </span>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines of an address may be identical
        <span key={index}>{line}</span>
      ))}
    </address>
  );
}
