/** The home page's slides for editing in Desk, by id, regardless of where they are shown. */
import type { FamilyId } from "#db/tables/enums.ts";
import type { SlideTitles } from "#server/catalogue/edit.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { perLanguage, standardLanguage } from "#server/foundation/languages/language.ts";
import type { LocalisedText, PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { screens } from "./registry.ts";

export interface EditableSlide {
  id: string;
  /** Label for staff: "Plans of Microsoft". */
  label: string;
  /** Default text, used until somebody edits it. */
  said: LocalisedText;
}

/** The slide that leads to a family's plans. */
export function plansSlideId(family: FamilyId): string {
  return `plans-${family}`;
}

/** Every slide that is shown in any country. */
export function listSlides(): EditableSlide[] {
  const plans = familyIds.flatMap((family) => {
    const { plansBanner } = screens[family];
    if (plansBanner === null) return [];
    const label = `Plans of ${families[family].label}`;
    return [{ id: plansSlideId(family), label, said: saidBy(plansBanner.title) }];
  });
  const promotions = familyIds
    .flatMap((family) => countryCodes.flatMap((code) => screens[family].promotions(code, standardLanguage)))
    .map(({ id, maker, title }) => ({ id, label: `Promotion of ${maker}: ${id}`, said: saidBy(title) }));
  const byId = new Map([...plans, ...promotions].map((slide) => [slide.id, slide]));
  return [...byId.values()];
}

function saidBy(title: PlainMessageKey): LocalisedText {
  return perLanguage((language) => textIn(language)(title));
}

/** A slide's title in each language. @param edited the edited titles; undefined before the first edit */
export function titlesOf({ said }: EditableSlide, edited: SlideTitles | undefined): LocalisedText {
  return perLanguage((language) => edited?.[language] ?? said[language]);
}
