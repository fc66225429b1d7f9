/** A Desk list (server/desk/lists/list.ts) as its page and its file show it. */
import type { StateTone } from "#server/desk/labels.ts";
import type { Cell, DeskList, ListContext } from "#server/desk/lists/list.ts";
import { csvFile } from "../http/streamed-file.ts";
import { columnSort } from "./column-sort.ts";
import type { StaffRequest } from "./route-builders.ts";
import { type TimeView, timeView } from "./view.ts";

type Address = (options?: Record<string, string>) => string;

/** A cell with formatted times. */
export type CellView =
  | { time: TimeView }
  | {
      text: string;
      path: string | null;
      of: string | null;
      small: string | null;
      /** Undefined for a text that is not a state. */
      tone?: StateTone;
    };

/** @param page where a page of it is @param file where its file is */
export async function listView(
  list: DeskList,
  request: StaffRequest,
  { page, file }: { page: Address; file: Address },
) {
  const query = request.url.searchParams;
  const context = contextOf(request);
  const kept = list.kept(query);
  const order = list.order(query);
  const sort = query.get("sort");
  const sorted = order === null || sort === null ? kept : { ...kept, sort };
  const { rows, next } = await list.page(context, query);
  return {
    title: list.title,
    explains: list.explains,
    empty: list.empty,
    columns: list.columns.map(({ label, holds, sort: column }) => ({
      label,
      holds,
      sort:
        order === null || column === undefined
          ? undefined
          : columnSort(column, order, (text) => page({ ...kept, sort: text })),
    })),
    fields: (await list.fields(context)).map(({ options, ...field }) => ({
      ...field,
      options: options === undefined ? undefined : [...options],
      value: kept[field.name] ?? "",
    })),
    rows: rows.map(({ id, cells }) => ({ id, cells: cells.map(cellView) })),
    file: file(kept),
    first: query.has("page") ? page(sorted) : null,
    next: next === null ? null : page({ ...sorted, page: next }),
  };
}

export type ListView = Awaited<ReturnType<typeof listView>>;

export function listFile(list: DeskList, request: StaffRequest): Promise<Response> {
  const pieces = list.file(contextOf(request), request.url.searchParams);
  return csvFile(pieces, { name: list.fileName, signal: request.raw.signal });
}

function contextOf({ context: { db, env }, desk: { staff } }: StaffRequest): ListContext {
  return { db, env, staff, now: new Date() };
}

function cellView(cell: Cell): CellView {
  if (typeof cell === "string") return { text: cell, path: null, of: null, small: null };
  if ("at" in cell) return { time: timeView(cell.at) };
  const { text, path = null, of = null, small = null, tone } = cell;
  return { text, path, of, small, ...(tone !== undefined && { tone }) };
}
