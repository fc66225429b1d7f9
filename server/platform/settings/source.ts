/** Looks up settings by name, and by name and country. */
import type { Country } from "#db/tables/enums.ts";

/** The environment, or a substitute for it. */
export type Source = Readonly<Record<string, string | undefined>>;

/** Reads a setting; null when it is empty or left out. */
export function settingIn(source: Source, name: string): string | null {
  const text = source[name]?.trim() ?? "";
  return text === "" ? null : text;
}

/** Appends a country's code to each name. */
export function namesInCountry<Part extends string>(names: Readonly<Record<Part, string>>, country: Country) {
  const own: Record<Part, string> = { ...names };
  for (const part in own) own[part] = `${names[part]}_${country}`;
  return own;
}
