/** A country's states, found by what people type. */
import { type LanguageId, languages, perLanguage } from "#server/foundation/languages/language.ts";

export interface State {
  /** Two letters, except DNHDD for one Indian territory. */
  abbreviation: string;
  /** As addresses have it. */
  name: string;
  /** In the languages that write it otherwise; left out where none does. */
  names?: Readonly<Record<LanguageId, string>>;
}

interface StateChoice {
  /** As addresses have it. */
  value: string;
  label: string;
}

/** Sorted once for each country: the words of a language are dear to compare. */
const sorted = new WeakMap<readonly State[], Readonly<Record<LanguageId, readonly StateChoice[]>>>();

/**
 * The states to choose from, with what addresses have and what a reader of the language knows, in the order of the latter.
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
