/** A select by which a list is narrowed: to everything, or to one of its options. */
import type { ComponentProps } from "react";

export interface Option {
  value: string;
  label: string;
}

/** @param props.all label of the choice of everything */
export function Choice({
  all,
  options,
  ...select
}: ComponentProps<"select"> & { all: string; options: readonly Option[] }) {
  return (
    <select {...select}>
      <option value="">{all}</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
