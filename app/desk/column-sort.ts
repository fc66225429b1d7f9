/** The links in the heads of a list's columns, which put it in their order. */
import type { ListOrder } from "#server/foundation/list-paging.ts";

export interface ColumnSort {
  /** The same list from its first row on, in this order. */
  href: string;
  /** The present order, where the list is in that of this column. */
  order: "ascending" | "descending" | null;
}

/** Links to a column's order: the rising one first, and from there the falling one. */
export function columnSort<Column extends string>(
  column: Column,
  { by, direction }: ListOrder<Column>,
  address: (sort: string) => string,
): ColumnSort {
  const order = by !== column ? null : direction === "asc" ? "ascending" : "descending";
  return { href: address(order === "ascending" ? `-${column}` : column), order };
}
