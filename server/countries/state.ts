/** A country's states, found by what people type. */

export interface State {
  /** Two letters, except DNHDD for one Indian territory. */
  abbreviation: string;
  name: string;
}

/** Finds a state by its name or abbreviation, in any case, with "&" or "and"; `null` when there is none. */
export function findStateIn<S extends State>(states: readonly S[], text: string): S | null {
  const wanted = canonicalName(text);
  return (
    states.find(({ name, abbreviation }) =>
      [canonicalName(name), abbreviation.toLowerCase()].includes(wanted),
    ) ?? null
  );
}

export function canonicalName(text: string): string {
  return text.toLowerCase().replaceAll("&", " and ").replace(/\s+/g, " ").trim();
}
