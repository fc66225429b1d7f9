/** `/documents`: a company's invoices and credit notes by financial year, each with a link, and all of them as files. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type BooksDocument, fitsInZip, listDocumentsOf } from "#server/billing/books/documents.ts";
import { monthsOfYear } from "#server/billing/books/years.ts";
import { maxDocumentsInZip } from "#server/billing/documents/document-zip.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { dateView, monthView } from "#server/orders/subscriptions/dates.ts";
import { type OpenBooks, openBooks } from "../../http/books.ts";
import { pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { DateText } from "../../ui/date-text.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListPages, ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { BooksFrame } from "../books/frame.tsx";
import { frameOf } from "../books/frame-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, text, url } = request;
  const books = await openBooks(request);
  const { owner, span, query } = books;
  const page = url.searchParams.get("page");
  const { rows, nextPage } = await listDocumentsOf(context.db, owner, span, page);
  const isEmpty = rows.length === 0;
  return {
    title: text("books.title"),
    about: text("books.about", { name: books.name }),
    frame: frameOf(books, "documents", text),
    nextPage,
    csv: isEmpty ? null : paths.documentsFile(query),
    zips: isEmpty ? null : await zipsOf(request, books),
    rows: rows.map((document) => rowOf(document, books, request)),
  };
});

/** Links to one zip of all documents, or to one per month where there are too many. */
async function zipsOf({ context, text, language }: RequestContext, books: OpenBooks) {
  const { owner, span, year, query, country } = books;
  if (await fitsInZip(context.db, owner, span))
    return { note: null, links: [{ label: text("books.asZip"), href: paths.documentsZip(query) }] };
  const note = text("books.zipByMonth", { most: maxDocumentsInZip });
  if (year === null) return { note, links: [] };
  const links = monthsOfYear(year, country).map(({ month, span: { from, before } }) => {
    const { month: name, year: of } = monthView(month, language);
    const lastDay = new Date(before.getTime() - 1);
    const days = { from: dateView(from, country).iso, to: dateView(lastDay, country).iso };
    return { label: `${name} ${of}`, href: paths.documentsZip(days) };
  });
  return { note, links };
}

function rowOf(document: BooksDocument, { country }: OpenBooks, { text, language }: RequestContext) {
  const { kind, number, orderId, orderCount, orderedAt, creditNoteId, issuedAt, isCancelled, isReady } =
    document;
  const { replacedBy } = document;
  const former = replacedBy === null ? undefined : number;
  return {
    number,
    href: creditNoteId === null ? paths.invoice(orderId, former) : paths.creditNote(creditNoteId),
    pdf: !isReady
      ? null
      : creditNoteId === null
        ? paths.invoicePdf(orderId, former)
        : paths.creditNotePdf(creditNoteId),
    kind: text(kind === "credit-note" ? "books.creditNote" : "books.invoice"),
    isCancelled,
    replaced: replacedBy === null ? null : text("corrections.replacedBy", { number: replacedBy }),
    issued: dateView(issuedAt, country, language),
    order: orderNumber({ number: orderCount, createdAt: orderedAt }),
    total: formatExact(document.total),
  };
}

export default function Documents() {
  const { title, about, frame, nextPage, csv, zips, rows } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <BooksFrame title={title} {...frame}>
      <p>{about}</p>
      {rows.length === 0 ? (
        <EmptyState message={text("books.none")} drawing="orders">
          <p className="hint">{text("books.noneYet")}</p>
        </EmptyState>
      ) : (
        <ListTable
          label={text("books.list")}
          columns={[
            { label: text("books.document"), holds: "words" },
            text("books.date"),
            text("books.order"),
            { label: text("books.total"), holds: "amount" },
            { label: text("books.file"), holds: "acts" },
          ]}
          rows={rows.map(({ number, href, pdf, kind, isCancelled, replaced, issued, order, total }) => ({
            id: number,
            cells: [
              <div key="number">
                <a href={href}>{number}</a>
                <span className="hint in-line">
                  {kind}
                  {isCancelled && <span className="badge">{text("books.cancelled")}</span>}
                  {replaced !== null && <span className="badge">{replaced}</span>}
                </span>
              </div>,
              <DateText key="issued" {...issued} />,
              order,
              <Money key="total">{total}</Money>,
              pdf === null ? (
                text("books.notYet")
              ) : (
                <a key="pdf" href={pdf}>
                  <Rich
                    text={text("books.openFile", { number })}
                    parts={{ hidden: (inner) => <span className="visually-hidden">{inner}</span> }}
                  />
                </a>
              ),
            ],
          }))}
        />
      )}
      <ListPages label={text("books.pages")} next={nextPage} isNewestFirst={false} />
      {csv !== null && (
        <p className="actions">
          <a href={csv}>{text("books.asCsv")}</a>
        </p>
      )}
      {zips !== null && (
        <>
          {zips.note !== null && <p>{zips.note}</p>}
          <p className="actions">
            {zips.links.map(({ label, href }) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
          </p>
        </>
      )}
    </BooksFrame>
  );
}
