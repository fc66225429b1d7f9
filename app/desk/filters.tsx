/** What a list of the desk is narrowed by: fields of its address. An empty one narrows nothing. */

interface Filter {
  name: string;
  label: string;
  value: string | undefined;
  /** What there is to choose from; left out for what is typed. */
  options?: readonly { value: string; label: string }[];
}

/** @param props.all what the first option of each choice is called */
export function Filters({ fields, all = "All" }: { fields: readonly Filter[]; all?: string }) {
  return (
    <search>
      <form method="get" className="filters">
        {fields.map(({ name, label, value, options }) => (
          <div key={name} className={options === undefined ? "field" : "field choice-of-list"}>
            <label htmlFor={name}>{label}</label>
            {options === undefined ? (
              <input id={name} name={name} maxLength={100} defaultValue={value ?? ""} autoComplete="off" />
            ) : (
              <select id={name} name={name} defaultValue={value ?? ""}>
                <option value="">{all}</option>
                {options.map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </select>
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

/** The choices of a table of words. */
export function toOptions(words: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
