/** `/desk/audit`: who did what to which subject, the newest first. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { readAudit } from "#server/desk/audit.ts";
import * as paths from "#server/paths.ts";
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
                <Subject key="subject">{subject}</Subject>,
                <span key="why" className="stacked">
                  <Breakable>{reason}</Breakable>
                  {details !== "" && (
                    <small>
                      <Breakable>{details}</Breakable>
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

/** A document's number stays in one piece, although a line may end at its hyphen. */
function Subject({ children }: { children: string }) {
  const [, kind, number] = /^(document:)(\S{1,16})$/.exec(children) ?? [];
  if (number === undefined) return <Breakable>{children}</Breakable>;
  return (
    <span>
      {kind}
      <wbr />
      <span className="one-line">{number}</span>
    </span>
  );
}
