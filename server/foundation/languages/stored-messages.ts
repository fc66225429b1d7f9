/**
 * Sentences that an order or a mail keeps for its buyer, and that are read later in whichever language. Beside the message stands its
 * English, which the version before this one has stored, and still reads.
 */
import type { LanguageId } from "./language.ts";
import { english, type MessageDescriptor, serializeMessage, translate } from "./text.ts";

export interface StoredMessage {
  text: string;
  message: string;
}

export function toStoredMessage(sentence: MessageDescriptor): StoredMessage {
  return { text: english(sentence), message: serializeMessage(sentence) };
}

/** @param kept.message left out in rows of earlier versions */
export function translateStored(
  language: LanguageId,
  { text, message = text }: { text: string; message?: string | undefined },
): string {
  return translate(language, message);
}
