/** The page of every Desk list: its filters, rows, file, and link to the next page. */
import type { ReactNode } from "react";
import { Breakable } from "../ui/breakable.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ListTable } from "../ui/list.tsx";
import { CsvLink } from "./csv-link.tsx";
import { Filters } from "./filters.tsx";
import { ListPaging } from "./list-paging.tsx";
import type { CellView, ListView } from "./list-view.ts";
import { StateBadge } from "./state-badge.tsx";
import { Word } from "./word.tsx";

const inputTypes = { search: "search", day: "date", month: "month", choice: "search" } as const;

/** @param props.above actions on the whole list @param props.children links next to the file's */
export function ListPage({
  list,
  above,
  children,
}: {
  list: ListView;
  above?: ReactNode;
  children?: ReactNode;
}) {
  const { title, explains, empty, columns, fields, rows, file, first, next } = list;
  return (
    <div className="page">
      <h1>{title}</h1>
      <p>{explains}</p>
      {above}
      <Filters fields={fields.map(({ kind, ...field }) => ({ ...field, type: inputTypes[kind] }))} />
      {rows.length === 0 ? (
        <>
          {children !== undefined && <p className="row-actions">{children}</p>}
          <EmptyState message={empty} />
        </>
      ) : (
        <>
          <div className="row-actions">
            {children}
            <CsvLink href={file} />
          </div>
          <ListTable
            label={title}
            columns={columns}
            rows={rows.map(({ id, cells }) => ({
              id,
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has one cell a column, always in their order
              cells: cells.map((cell, index) => <CellShown key={index} cell={cell} />),
            }))}
          />
        </>
      )}
      <ListPaging first={first} next={next} />
    </div>
  );
}

function CellShown({ cell }: { cell: CellView }) {
  if ("time" in cell) return <time dateTime={cell.time.iso}>{cell.time.text}</time>;
  const { text, path, of, small, tone } = cell;
  const shown =
    tone !== undefined ? (
      <StateBadge tone={tone}>{text}</StateBadge>
    ) : path === null ? (
      <Words>{text}</Words>
    ) : (
      <a href={path}>
        {text}
        {of !== null && <span className="visually-hidden"> of {of}</span>}
      </a>
    );
  return small === null ? (
    shown
  ) : (
    <span className="stacked">
      {shown}
      <small>
        <Words>{small}</Words>
      </small>
    </span>
  );
}

function Words({ children }: { children: string }) {
  return children.includes(" ") ? <Breakable>{children}</Breakable> : <Word>{children}</Word>;
}
