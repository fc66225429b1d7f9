/** A select that filters a list: all entries, or one of its options. */
import type { ComponentProps } from "react";

export interface Option {
  value: string;
  label: string;
}

/** @param props.all label of the option for all entries */
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
