/** Finds a country's states by name. */
import { type LanguageId, languages, perLanguage } from "#server/foundation/languages/language.ts";

export interface State {
  /** Two letters, except DNHDD for one Indian territory. */
  abbreviation: string;
  /** Name in addresses. */
  name: string;
  /** Names in each language, if they differ; otherwise left out. */
  names?: Readonly<Record<LanguageId, string>>;
}

interface StateChoice {
  /** Name in addresses. */
  value: string;
  label: string;
}

/** Sorted once for each country, because collation is slow. */
const sorted = new WeakMap<readonly State[], Readonly<Record<LanguageId, readonly StateChoice[]>>>();

/**
 * Lists the states to choose from, with their value in addresses and their label in the language, sorted by label.
 * @param unsold listed after them
 */
export function stateChoices(
  states: readonly State[],
  language: LanguageId,
  unsold: readonly State[] = [],
): readonly StateChoice[] {
  const known =
    sorted.get(states) ?? perLanguage((each) => [...sortedIn(each, states), ...sortedIn(each, unsold)]);
  sorted.set(states, known);
  return known[language];
}

function sortedIn(language: LanguageId, states: readonly State[]): StateChoice[] {
  const { compare } = new Intl.Collator(languages[language].locale);
  return states
    .map(({ name, names }) => ({ value: name, label: names?.[language] ?? name }))
    .sort((one, other) => compare(one.label, other.label));
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
