/** `/desk/audit`: who did what to which subject, newest first. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { readAudit } from "#server/desk/audit.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { auditFilter, filterQuery } from "../audit-query.ts";
import { CsvLink } from "../csv-link.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Audit log");

export const loader = deskLoader("audit", z.unknown(), async ({ context, url }) => {
  const filter = auditFilter(url);
  const page = url.searchParams.get("page");
  const { entries, next } = await readAudit(context.db, filter, page);
  const kept = filterQuery(filter);
  return {
    filter,
    entries: entries.map(({ at, ...entry }) => ({ ...entry, at: timeView(at) })),
    file: paths.deskAuditCsv(kept),
    first: page === null ? null : paths.deskAudit(kept),
    next: next === null ? null : paths.deskAudit({ ...kept, page: next }),
  };
});

const fields = [
  ["staff", "Staff email starts with"],
  ["action", "Action starts with"],
  ["subject", "Subject, such as order:…"],
] as const;

export default function Audit() {
  const { filter, entries, file, first, next } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Audit log</h1>
      <search>
        <form method="get" className="filters">
          {fields.map(([name, label]) => (
            <div key={name} className="field">
              <label htmlFor={name}>{label}</label>
              <input
                id={name}
                name={name}
                maxLength={200}
                defaultValue={filter[name] ?? ""}
                autoComplete="off"
              />
            </div>
          ))}
          <button type="submit" className="quiet">
            Show
          </button>
        </form>
      </search>
      {entries.length === 0 ? (
        <EmptyState message="No matching entries." />
      ) : (
        <>
          <CsvLink href={file} />
          <ListTable
            label="Audit log"
            columns={[
              "When",
              { label: "Who", holds: "words" },
              "Act",
              { label: "Subject", holds: "words" },
              { label: "Why", holds: "words" },
            ]}
            rows={entries.map(({ id, at, by, action, subject, reason, details }) => ({
              id: String(id),
              cells: [
                <time key="at" dateTime={at.iso}>
                  {at.text}
                </time>,
                <Breakable key="by">{by}</Breakable>,
                action,
                <Words key="subject">{subject}</Words>,
                <span key="why" className="stacked">
                  <Words>{reason}</Words>
                  {details !== "" && (
                    <small>
                      <Words>{details}</Words>
                    </small>
                  )}
                </span>,
              ],
            }))}
          />
        </>
      )}
      <ListPaging first={first} next={next} />
    </div>
  );
}

/** A document number, kept on one line: a browser might otherwise break it at its hyphen. */
const documentNumber = /([A-Z]{2,4}\/[\d-]+\/[A-Z\d]{6,7})/;

function Words({ children }: { children: string }) {
  return (
    <span>
      {children.split(documentNumber).map((part, index) =>
        index % 2 === 1 ? (
          <span key={part} className="one-line">
            {part}
          </span>
        ) : (
          <Breakable key={part}>{part}</Breakable>
        ),
      )}
    </span>
  );
}
