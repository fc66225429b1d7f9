/** How a setting is looked up: by its name, and by its name for a country. */
import type { Country } from "#db/tables/enums.ts";

/** The environment, or what stands in its place. */
export type Source = Readonly<Record<string, string | undefined>>;

/** A setting that is empty counts as left out. */
export function settingIn(source: Source, name: string): string | null {
  const text = source[name]?.trim() ?? "";
  return text === "" ? null : text;
}

/** Each name with the code of a country. */
export function namesInCountry<Part extends string>(names: Readonly<Record<Part, string>>, country: Country) {
  const own: Record<Part, string> = { ...names };
  for (const part in own) own[part] = `${names[part]}_${country}`;
  return own;
}
