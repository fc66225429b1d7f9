/**
 * Sentences that an order or a mail keeps for its buyer, and that are read later in whichever language. Beside the message stands its
 * English, which the version before this one has stored, and still reads.
 */
import type { LanguageId } from "./language.ts";
import { english, type Told, tell, toIssue } from "./text.ts";

export interface Kept {
  text: string;
  message: string;
}

export function keep(sentence: Told): Kept {
  return { text: english(sentence), message: toIssue(sentence) };
}

/** @param kept.message left out in rows of earlier versions */
export function tellKept(
  language: LanguageId,
  { text, message = text }: { text: string; message?: string | undefined },
): string {
  return tell(language, message);
}
