/** `/orders/{id}/invoice`: an order's invoice to read and to print, with a link to the PDF. */
import { useLoaderData } from "@remix-run/react";
import { type InvoiceView, invoiceView } from "#server/documents/view.ts";
import * as paths from "#server/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { orderIdParams } from "../../params.ts";
import { unindexedPage } from "../../ui/head.ts";
import { Lines, Totals } from "../../ui/lines.tsx";
import { Money } from "../../ui/money.tsx";
import { openInvoice } from "./open-invoice.ts";

export const meta = unindexedPage<{ view: InvoiceView }>((data) =>
  data === undefined ? "Invoice" : `${data.view.title} ${data.view.number}`,
);

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const view = invoiceView(await openInvoice(request, params));
  return { view, pdf: paths.invoicePdf(params.id) };
});

export default function Invoice() {
  const { view, pdf } = useLoaderData<typeof loader>();
  const hasSac = view.lines.some(({ sac }) => sac !== null);
  return (
    <div className="page">
      <p className="actions off-paper">
        <a className="button" href={pdf} download={view.fileName}>
          Download PDF
        </a>{" "}
        <a href={paths.myOrders()}>My Orders</a> <a href={paths.subscriptions()}>My Subscriptions</a>
      </p>
      <article className="invoice">
        <header>
          <div>
            <h1>{view.title}</h1>
            <p className="number">{view.number}</p>
          </div>
          <Party name={view.supplier.name} lines={view.supplier.lines} />
        </header>
        <div className="sides">
          <section aria-labelledby="billed-to">
            <h2 id="billed-to">Billed to</h2>
            <Party name={view.recipient.name} lines={view.recipient.lines} />
          </section>
          <Lines lines={view.facts} />
        </div>
        <div className="list-frame">
          <table className="list">
            <thead>
              <tr>
                <th scope="col">Description</th>
                {hasSac && <th scope="col">SAC</th>}
                <th scope="col">Licences</th>
                <th scope="col">Unit price</th>
                <th scope="col">{view.amountLabel}</th>
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
                  {sac !== null && <td data-column="SAC">{sac}</td>}
                  <td data-column="Licences">{quantity}</td>
                  <td data-column="Unit price">
                    <Money>{unitPrice}</Money>
                  </td>
                  <td data-column={view.amountLabel}>
                    <Money>{amount}</Money>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Totals lines={view.totals} />
        {view.words !== null && <p>{view.words}</p>}
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
    </div>
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
