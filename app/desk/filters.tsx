/** Filters of a Desk list, from the URL's query. An empty one filters nothing. */
import { useLocation } from "@remix-run/react";
import { Choice, type Option } from "../ui/choice.tsx";

interface Filter {
  name: string;
  label: string;
  value: string | null | undefined;
  type?: "search" | "date" | "month";
  /** Choices of a select; left out for a text field. */
  options?: readonly Option[] | undefined;
}

/** Keeps the list's order from the URL. */
export function Filters({ fields }: { fields: readonly Filter[] }) {
  const sort = new URLSearchParams(useLocation().search).get("sort");
  return (
    <search>
      <form method="get" className="filters">
        {sort !== null && <input type="hidden" name="sort" value={sort} />}
        {fields.map(({ name, label, value, type = "text", options }) => (
          <div key={name} className={options === undefined ? "field" : "field choice-of-list"}>
            <label htmlFor={name}>{label}</label>
            {options === undefined ? (
              <input
                id={name}
                name={name}
                type={type}
                maxLength={type === "search" || type === "text" ? 100 : undefined}
                defaultValue={value ?? ""}
                autoComplete="off"
              />
            ) : (
              <Choice id={name} name={name} all="All" options={options} defaultValue={value ?? ""} />
            )}
          </div>
        ))}
        <button type="submit" className="quiet">
          Show
        </button>
      </form>
    </search>
  );
}

/** Options from a table of labels. */
export function toOptions(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
