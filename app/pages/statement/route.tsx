/** `/documents/statement`: opening balance, invoices, payments and refunds of a year or any period, and the closing balance. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { readStatement } from "#server/billing/books/statement.ts";
import { type StatementSectionView, statementView } from "#server/billing/books/statement-view.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import * as paths from "#server/foundation/paths.ts";
import { openBooks } from "../../http/books.ts";
import { pageLoader } from "../../http/page.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListPages, ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { Totals } from "../../ui/summary-list.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { BooksFrame } from "../books/frame.tsx";
import { frameOf } from "../books/frame-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

/** Lines per page: a year's statement may have thousands. */
const pageSize = 50;

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, text, language, url } = request;
  const books = await openBooks(request);
  const { db, env } = context;
  const sections = await readStatement(db, books.owner, books.span);
  const supplier = supplierOf(env, books.country);
  const view = statementView({ ...books, sections, supplier, language });
  const page = pageOf(url, Math.max(0, ...view.sections.map(({ lines }) => lines.length)));
  return {
    title: view.title,
    time: view.number,
    frame: frameOf(books, "statement", text),
    days: books.days,
    columns: view.columns,
    note: view.note,
    sections: view.sections.map((section) => onPage(section, page.number, text("books.broughtForward"))),
    nextPage: page.next,
    csv: paths.statementFile(books.query),
    pdf: paths.statementPdf(books.query),
  };
});

/** Page number, from 1. A number beyond the last page shows the last. */
function pageOf({ searchParams }: URL, lines: number): { number: number; next: string | null } {
  const last = Math.max(1, Math.ceil(lines / pageSize));
  const requestedPage = Number(/^\d{1,6}$/.exec(searchParams.get("page") ?? "")?.[0] ?? 1);
  const number = Math.min(Math.max(1, requestedPage), last);
  return { number, next: number < last ? String(number + 1) : null };
}

/** The lines of a page, after the balance at the end of the previous page. The totals are those of the whole period. */
function onPage(section: StatementSectionView, page: number, forward: string): StatementSectionView {
  const first = (page - 1) * pageSize;
  const before = section.lines[first - 1];
  return {
    ...section,
    opening: before === undefined ? section.opening : { label: forward, value: before.balance },
    lines: section.lines.slice(first, first + pageSize),
  };
}

export default function Statement() {
  const data = useLoaderData<typeof loader>();
  const { title, time, frame, days, sections, note, nextPage, csv, pdf } = data;
  const text = useTranslate();
  return (
    <BooksFrame title={title} {...frame}>
      <p className="lead">{time}</p>
      <form method="get" className="actions">
        <label>
          {text("books.from")} <input type="date" name="from" required defaultValue={days.from} />
        </label>{" "}
        <label>
          {text("books.to")} <input type="date" name="to" required defaultValue={days.to} />
        </label>{" "}
        <button type="submit" className="quiet">
          {text("books.show")}
        </button>
      </form>
      {sections.length === 0 && <EmptyState message={text("books.empty")} drawing="orders" />}
      {sections.map((section) => (
        <Section key={section.label} section={section} columns={data.columns} />
      ))}
      <ListPages label={text("books.linePages")} next={nextPage} isNewestFirst={false} />
      {sections.length > 0 && (
        <p className="actions">
          <a className="button" href={pdf}>
            {text("books.asPdf")}
          </a>{" "}
          <a href={csv}>{text("books.asCsv")}</a>
        </p>
      )}
      <p className="hint">{note}</p>
    </BooksFrame>
  );
}

function Section({
  section: { label, opening, lines, totals, means },
  columns,
}: {
  section: StatementSectionView;
  columns: Record<"date" | "what" | "order" | "charged" | "settled" | "balance", string>;
}) {
  return (
    <>
      <Totals lines={[opening]} />
      {lines.length > 0 && (
        <ListTable
          label={label}
          columns={[
            { label: columns.what, holds: "words" },
            columns.date,
            columns.order,
            columns.charged,
            columns.settled,
            columns.balance,
          ]}
          rows={lines.map(({ id, date, what, order, charged, settled, balance }) => ({
            id,
            cells: [
              what,
              date,
              order,
              charged !== "" && <Money key="charged">{charged}</Money>,
              settled !== "" && <Money key="settled">{settled}</Money>,
              <Money key="balance">{balance}</Money>,
            ],
          }))}
        />
      )}
      <Totals lines={totals} />
      <p>{means}</p>
    </>
  );
}
