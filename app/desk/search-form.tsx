/** The one field by which a list of the desk is searched. */

/** @param props.label what may be searched for @param props.search what was, null for nothing */
export function SearchForm({ label, search }: { label: string; search: string | null }) {
  return (
    <search>
      <form method="get" className="filters">
        <div className="field">
          <label htmlFor="search">{label}</label>
          <input id="search" name="search" type="search" maxLength={100} defaultValue={search ?? ""} />
        </div>
        <button type="submit" className="quiet">
          Find
        </button>
      </form>
    </search>
  );
}
