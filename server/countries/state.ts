/** A state of a country, and how it is found by what people write. */

export interface State {
  /** Two letters; DNHDD for the one Indian territory that goes by five. */
  abbreviation: string;
  name: string;
}

/** Finds a state by its name or abbreviation, in any case, "&" or "and"; `null` when there is none. */
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
