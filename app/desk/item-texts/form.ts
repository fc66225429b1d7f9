/** Form for an item's texts: one field per text and language of the store. */
import { z } from "zod";
import type { ItemCopy } from "#db/catalogue/item-copy.ts";
import type { ItemTexts } from "#server/catalogue/edit.ts";
import { sharedFields } from "#server/desk/actions/action.ts";
import { type LanguageId, languageIds, standardLanguage } from "#server/foundation/languages/language.ts";

/** Texts that differ by language. The name is the same in all. */
const kinds = ["audience", "description", "features"] as const;
type Kind = (typeof kinds)[number];

const longest = { name: 100, audience: 200, description: 1_000, features: 2_000 } as const;
const maxFeatures = 12;

type FieldName = `${Kind}_${LanguageId}`;

function nameOf(kind: Kind, language: LanguageId): FieldName {
  return `${kind}_${language}`;
}

function text(most: number, isRequired: boolean): z.ZodType<string> {
  const given = z.string("Enter a text.").trim().max(most);
  return isRequired ? given.min(1, "Enter a text.") : given.default("");
}

export const textsSchema = z.object({
  name: text(longest.name, true),
  version: z.string().max(40),
  reason: sharedFields.shape.reason,
  ...Object.fromEntries(
    languageIds.flatMap((language) =>
      kinds.map((kind) => {
        const checked = text(longest[kind], language === standardLanguage).refine(
          (lines) => kind !== "features" || linesOf(lines).length <= maxFeatures,
          `Use ${maxFeatures} features or fewer.`,
        );
        return [nameOf(kind, language), checked] as const;
      }),
    ),
  ),
});

export interface TextsForm {
  values: Record<string, string>;
  nameLimit: number;
  languages: {
    id: LanguageId;
    isStandard: boolean;
    fields: Record<Kind, { name: string; most: number }>;
  }[];
}

/** View model of the page, with the current texts. */
export function textsForm(texts: ItemTexts): TextsForm {
  const said = (language: LanguageId, kind: Kind): string => {
    const text = (language === standardLanguage ? texts : texts.words[language])?.[kind] ?? "";
    return typeof text === "string" ? text : text.join("\n");
  };
  const field = (kind: Kind, language: LanguageId) => ({ name: nameOf(kind, language), most: longest[kind] });
  return {
    values: {
      name: texts.name,
      ...Object.fromEntries(
        languageIds.flatMap((language) =>
          kinds.map((kind) => [nameOf(kind, language), said(language, kind)] as const),
        ),
      ),
    },
    nameLimit: longest.name,
    languages: languageIds.map((id) => ({
      id,
      isStandard: id === standardLanguage,
      fields: {
        audience: field("audience", id),
        description: field("description", id),
        features: field("features", id),
      },
    })),
  };
}

/** Returns the entered texts. @param before the current texts, whose languages that the store dropped stay unchanged */
export function textsIn(value: Readonly<Record<string, unknown>>, before: ItemTexts): ItemTexts {
  const entered = (kind: Kind, language: LanguageId) => String(value[nameOf(kind, language)] ?? "").trim();
  const others = languageIds.filter((language) => language !== standardLanguage);
  const wordsIn = (language: LanguageId): Partial<ItemCopy> => {
    const features = linesOf(entered("features", language));
    const [audience, description] = [entered("audience", language), entered("description", language)];
    return {
      ...(audience !== "" && { audience }),
      ...(description !== "" && { description }),
      ...(features.length > 0 && { features }),
    };
  };
  return {
    name: String(value.name ?? "").trim(),
    audience: entered("audience", standardLanguage),
    description: entered("description", standardLanguage),
    features: linesOf(entered("features", standardLanguage)),
    words: {
      ...before.words,
      ...Object.fromEntries(others.map((language) => [language, wordsIn(language)])),
    },
  };
}

/** Features, one per line. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
