/** `/desk/orders/{id}`: an order's story, everything in time order, and the acts that fit. */

import { useLoaderData } from "@remix-run/react";
import type { OrderId } from "#db/ids.ts";
import { parseId } from "#db/ids.ts";
import { countries } from "#server/countries/country.ts";
import { actsOfOrder } from "#server/desk/actions/registry.ts";
import { orderKindLabels, orderStateText } from "#server/desk/labels.ts";
import { documentsOfOrder } from "#server/desk/lists/documents.ts";
import { type OrderHistoryEntry, readOrderHistory } from "#server/desk/order-history.ts";
import { type QuoteOfOrder, quoteOfOrder } from "#server/desk/quotes.ts";
import { maySee } from "#server/desk/roles.ts";
import { notFound } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import * as paths from "#server/paths.ts";
import { hasOpenProforma } from "#server/payments/bank-transfer/transfer-state.ts";
import { fullName } from "#server/placeholders.ts";
import { orderIdParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { type TimeView, timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ number: string }>((data) => data?.number ?? "");

export const loader = deskLoader("order", orderIdParams, async ({ context, desk }, params) => {
  const id = parseId<OrderId>(params.id);
  if (id === null) throw notFound("order");
  const { order, number, total, account, moments } = await readOrderHistory(context.db, id);
  const { account: buyer, line } = order;
  return {
    number,
    total,
    state: orderStateText({ ...order, awaitsTransfer: await hasOpenProforma(context.db, order) }),
    company: {
      name: buyer?.companyName ?? "none yet",
      href:
        order.customerId === null || !maySee(desk.staff.role, "customer")
          ? null
          : paths.deskCustomer(order.customerId),
    },
    facts: [
      [
        "What",
        `${line.name} × ${line.quantity}, ${orderKindLabels[order.kind]}, ${families[order.family].label}, ${countries[order.country].name}`,
      ],
      ["Buyer", buyer === null ? "none yet" : `${fullName(buyer)}, ${buyer.email}`],
      ["Phone", buyer === null ? "none yet" : `${buyer.phoneCode} ${buyer.phoneNumber}`],
      [
        "Address",
        buyer === null
          ? "none yet"
          : [buyer.addressLine1, buyer.addressLine2, buyer.city, buyer.pincode, buyer.state].join(", "),
      ],
      ["GSTIN", buyer?.gst_code ?? "none"],
      ["Purchase order", order.references.purchaseOrder ?? "none"],
      ["Cost centre", order.references.costCentre ?? "none"],
      ["Buyer's note", order.references.note ?? "none"],
      ["Account", account],
    ] satisfies [string, string][],
    acts: (await actsOfOrder(context, desk.staff.role, id)).map(({ id: act, label, subject }) => ({
      label,
      href: paths.deskActionForm(act, subject),
    })),
    quote: quoteView(await quoteOfOrder(context.db, id, new Date())),
    documents: maySee(desk.staff.role, "document") ? await documentsOfOrder(context.db, id) : [],
    parts: folded(moments.map(({ at, ...moment }) => ({ ...moment, at: timeView(at) }))),
  };
});

function quoteView(quote: QuoteOfOrder | null) {
  if (quote === null) return null;
  const { number, version, state, validUntil, requests } = quote;
  return {
    number,
    version,
    state,
    until: timeView(validUntil),
    requests: requests.map(({ askedAt, answeredAt, ...each }) => ({
      ...each,
      requestedAt: timeView(askedAt),
      answered: answeredAt && timeView(answeredAt),
    })),
  };
}

type MomentView = Omit<OrderHistoryEntry, "at"> & { at: TimeView };

/** Calls that follow one another are one part of the story, because one order may make hundreds. */
function folded(moments: readonly MomentView[]): { calls: boolean; moments: MomentView[] }[] {
  const parts: { calls: boolean; moments: MomentView[] }[] = [];
  for (const moment of moments) {
    const calls = moment.kind === "call";
    const last = parts.at(-1);
    if (last?.calls === calls) last.moments.push(moment);
    else parts.push({ calls, moments: [moment] });
  }
  return parts;
}

export default function Order() {
  const { number, total, state, company, facts, acts, quote, documents, parts } =
    useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>{number}</h1>
      <p>
        <Money>{total}</Money>, {state}
      </p>
      <dl className="facts">
        <div>
          <dt>Company</dt>
          <dd>
            {company.href === null ? (
              <Breakable>{company.name}</Breakable>
            ) : (
              <a href={company.href}>
                <Breakable>{company.name}</Breakable>
              </a>
            )}
          </dd>
        </div>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Breakable>{value}</Breakable>
            </dd>
          </div>
        ))}
      </dl>
      <ActionLinks acts={acts} />
      {quote !== null && <Quote {...quote} />}
      {documents.length > 0 && (
        <section aria-labelledby="documents">
          <h2 id="documents">Documents</h2>
          <ul>
            {documents.map((document) => (
              <li key={document.number}>
                <a href={paths.deskDocument(document.number)}>{document.number}</a>, {document.kind}:{" "}
                {document.state}
                {document.portal !== null && <small className="hint"> {document.portal}</small>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="story">
        <h2 id="story">Timeline</h2>
        <ol className="moments">
          {parts.map(({ calls, moments }, index) => {
            const [first] = moments;
            return calls && first !== undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id of their own, and never change their order
              <li key={index}>
                <time dateTime={first.at.iso}>{first.at.text}</time>
                <details>
                  <summary>
                    {moments.length === 1 ? "A call to a provider" : `${moments.length} calls to providers`}
                  </summary>
                  <ol className="moments">
                    <Moments moments={moments} />
                  </ol>
                </details>
              </li>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Moments key={index} moments={moments} />
            );
          })}
        </ol>
      </section>
    </div>
  );
}

/** What was quoted last, and who was asked about it and about the versions before. */
function Quote(props: NonNullable<ReturnType<typeof quoteView>>) {
  const { number, version, state, until, requests } = props;
  return (
    <section aria-labelledby="quote">
      <h2 id="quote">Quote</h2>
      <p>
        {number}, version {version}, valid until <time dateTime={until.iso}>{until.text}</time>: {state}
      </p>
      {requests.length > 0 && (
        <ListTable
          label="Approval and payment requests"
          columns={[{ label: "Who", holds: "words" }, "Asked", "About", "State"]}
          rows={requests.map((each) => ({
            id: each.id,
            cells: [
              <span key="who" className="stacked">
                <Breakable>{each.email}</Breakable>
                <small>{each.what}</small>
              </span>,
              <time key="asked" dateTime={each.requestedAt.iso}>
                {each.requestedAt.text}
              </time>,
              each.number,
              <span key="state" className="stacked">
                {each.state}
                {each.answered !== null && (
                  <small>
                    <time dateTime={each.answered.iso}>{each.answered.text}</time>
                  </small>
                )}
                {each.words !== null && <small>“{each.words}”</small>}
              </span>,
            ],
          }))}
        />
      )}
    </section>
  );
}

function Moments({ moments }: { moments: readonly MomentView[] }) {
  return moments.map(({ at, kind, title, detail, by }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <li key={index} data-kind={kind}>
      <time dateTime={at.iso}>{at.text}</time>
      <span>
        <Breakable>{title}</Breakable>
        {by !== null && <small>by {by}</small>}
        {detail !== null && (
          <small>
            <Breakable>{detail}</Breakable>
          </small>
        )}
      </span>
    </li>
  ));
}
