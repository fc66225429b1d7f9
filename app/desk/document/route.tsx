/** `/desk/documents/{number}`: a document as its buyer has it, with its registration state and its staff actions. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { readDocument } from "#server/desk/document.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { PrintableDocument } from "../../ui/printable-document.tsx";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ number: string }>((data) => data?.number ?? "");

const params = z.object({ number: z.string().max(40) });

export const loader = deskLoader("document", params, async ({ context, desk }, { number }) => {
  const { view, notHandedOut, order, facts } = await readDocument(context.db, number);
  const { role } = desk.staff;
  const ofDocument = await possibleActs(context, role, "document", number);
  const ofOrder = (await possibleActs(context, role, "order", order.id)).filter(({ id }) =>
    id.startsWith("document."),
  );
  return {
    number,
    view,
    notHandedOut,
    pdf: notHandedOut === null ? paths.deskDocumentPdf(number) : null,
    order: { number: order.number, path: paths.deskOrder(order.id) },
    facts: facts.map(({ name, value }) => ({
      name,
      value: value instanceof Date ? timeView(value) : { iso: null, text: value },
    })),
    acts: [
      ...ofDocument.map(({ id, label }) => ({ label, href: paths.deskActionForm(id, number) })),
      ...ofOrder.map(({ id, label }) => ({ label, href: paths.deskActionForm(id, order.id) })),
    ],
  };
});

export default function Document() {
  const { number, view, notHandedOut, pdf, order, facts, acts } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <p className="actions off-paper">
        {pdf !== null && (
          <a className="button" href={pdf}>
            Download PDF
          </a>
        )}{" "}
        <a href={order.path}>Order {order.number}</a>
      </p>
      {notHandedOut !== null && <Callout type="info">{notHandedOut}</Callout>}
      {facts.length > 0 && (
        <dl className="facts" aria-label="History">
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value.iso === null ? (
                  <Breakable>{value.text}</Breakable>
                ) : (
                  <time dateTime={value.iso}>{value.text}</time>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ActionLinks acts={acts} />
      {view === null ? <h1>{number}</h1> : <PrintableDocument view={view} />}
    </div>
  );
}
