/** Links in a list's column headings that sort the list. */
import type { ListOrder } from "#server/foundation/list-paging.ts";

export interface ColumnSort {
  /** The first page of the list, sorted by this column. */
  href: string;
  /** Current direction; null unless the list is sorted by this column. */
  order: "ascending" | "descending" | null;
}

/** Links to a column's order: ascending first, then descending. */
export function columnSort<Column extends string>(
  column: Column,
  { by, direction }: ListOrder<Column>,
  address: (sort: string) => string,
): ColumnSort {
  const order = by !== column ? null : direction === "asc" ? "ascending" : "descending";
  return { href: address(order === "ascending" ? `-${column}` : column), order };
}
