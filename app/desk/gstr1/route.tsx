/** `/desk/gstr1`: a month's return by table, with each document's problems and the files for the portal. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { jsonFile } from "#server/billing/documents/gstr1/build.ts";
import { allFiles, dueReturnMonth, readReturns, returnDueDay } from "#server/desk/gstr1.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { standardLanguage } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { formatDate, monthView, startOfDay } from "#server/orders/subscriptions/dates.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { isMonth } from "../month.ts";
import { deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("GSTR-1");

export const loader = deskLoader("gstr1", z.unknown(), async ({ context, url }) => {
  const requested = url.searchParams.get("month") ?? "";
  const month = isMonth(requested) ? requested : dueReturnMonth(new Date());
  const all = url.searchParams.get("show") === "all";
  const gstin = url.searchParams.get("gstin");
  const from = url.searchParams.get("from");
  const { returns, withoutGst } = await readReturns(context, { month, all, gstin, from });
  const { month: name, year } = monthView(month, standardLanguage);
  const kept = { month, ...(all && { show: "all" }) };
  return {
    month,
    monthWords: `${name} ${year}`,
    due: formatDate(startOfDay(returnDueDay(month), gstCountry), gstCountry),
    all,
    withoutGst,
    returns: returns.map(({ sections, next, ...each }) => {
      const fileOf = (file: string) => paths.deskGstr1File({ month, gstin: each.gstin, file });
      return {
        ...each,
        sections: sections.map(({ file, ...section }) => ({ ...section, file: fileOf(file) })),
        json: fileOf(jsonFile),
        zip: fileOf(allFiles),
        first: gstin === each.gstin && from !== null ? paths.deskGstr1(kept) : null,
        next: next === null ? null : paths.deskGstr1({ ...kept, gstin: each.gstin, from: next }),
      };
    }),
  };
});

export default function Gstr1() {
  const { month, monthWords, due, all, returns, withoutGst } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>GSTR-1</h1>
      <p>
        The return of {monthWords} is due on {due} for monthly filers.
      </p>
      <search>
        <form method="get" className="filters">
          <div className="field">
            <label htmlFor="month">Month</label>
            <input id="month" name="month" type="month" defaultValue={month} />
          </div>
          <div className="field">
            <label htmlFor="show">Documents</label>
            <select id="show" name="show" defaultValue={all ? "all" : ""}>
              <option value="">With problems</option>
              <option value="all">All</option>
            </select>
          </div>
          <button type="submit" className="quiet">
            Show
          </button>
        </form>
      </search>
      {returns.length === 0 && <EmptyState message={`No documents with GST were issued in ${monthWords}.`} />}
      {returns.map((each) => (
        <Return key={each.gstin} of={each} all={all} />
      ))}
      {withoutGst > 0 && (
        <p>
          {withoutGst} {withoutGst === 1 ? "document is" : "documents are"} without GST, so not in any return.
        </p>
      )}
    </div>
  );
}

type ReturnView = ReturnType<typeof useLoaderData<typeof loader>>["returns"][number];

function Return({ of: shown, all }: { of: ReturnView; all: boolean }) {
  const { gstin, count, sections, problems, documents, json, zip, first, next } = shown;
  return (
    <section aria-labelledby={gstin}>
      <h2 id={gstin}>{gstin}</h2>
      <p>
        {count} {count === 1 ? "document" : "documents"} in the return, {problems} with a problem.
      </p>
      <p className="row-actions">
        <a className="button quiet" href={json}>
          JSON for the portal
        </a>
        <a className="button quiet" href={zip}>
          JSON and CSV (ZIP)
        </a>
      </p>
      <ListTable
        label={`Tables of ${gstin}`}
        columns={[
          { label: "Table", holds: "words" },
          { label: "Entries", holds: "amount" },
          { label: "Taxable value", holds: "amount" },
          { label: "IGST", holds: "amount" },
          { label: "CGST", holds: "amount" },
          { label: "SGST", holds: "amount" },
          { label: "Tax", holds: "amount" },
          "File",
        ]}
        rows={sections.map(({ title, entries, taxable, igst, cgst, sgst, tax, file }) => ({
          id: title,
          cells: [
            title,
            String(entries),
            ...[taxable, igst, cgst, sgst, tax].map((amount, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their order
              <Money key={index}>{amount}</Money>
            )),
            <a key="file" href={file}>
              CSV<span className="visually-hidden"> of {title}</span>
            </a>,
          ],
        }))}
      />
      <h3>{all ? "Documents" : "Documents with a problem"}</h3>
      {documents.length === 0 ? (
        <p>{all ? "No documents." : "No documents have problems this month."}</p>
      ) : (
        <ListTable
          label={`Documents of ${gstin}`}
          columns={[
            "Number",
            "Date",
            "Table",
            { label: "Buyer", holds: "words" },
            { label: "Total", holds: "amount" },
            { label: "Problem", holds: "words" },
          ]}
          rows={documents.map((document) => ({
            id: document.number,
            cells: [
              <a key="number" href={document.path}>
                {document.number}
              </a>,
              <time key="day" dateTime={document.day}>
                {document.day}
              </time>,
              document.place,
              <span key="buyer" className="stacked">
                {document.buyer}
                {document.gstin !== null && <small>{document.gstin}</small>}
              </span>,
              <Money key="total">{document.total}</Money>,
              document.problem === null ? "none" : <Breakable key="problem">{document.problem}</Breakable>,
            ],
          }))}
        />
      )}
      <ListPaging first={first} next={next} />
    </section>
  );
}
