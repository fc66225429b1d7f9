/** Reason of a work item: one sentence for staff, and the provider's own text, which Desk folds away. */
import type { WorkItemKind } from "#db/desk/work-queue.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import { families, familyIds, isFamilyId } from "#server/catalogue/families/registry.ts";

export interface Reason {
  sentence: string;
  /** Text as stored; null when the sentence contains all of it. */
  raw: string | null;
}

/** Beginnings of the sentence about each kind. The provider's message follows if it is readable. */
const beginnings: Readonly<Record<WorkItemKind, string>> = {
  "stopped-order": "The order stopped",
  "given-back": "The order was refunded part-way through",
  cancellation: "The cancellation is stuck",
  payment: "No order uses this payment",
  refund: "The refund failed",
  dispute: "The buyer's bank disputes the payment",
  event: "A payment event can't be used",
  document: "The e-invoice portal rejected the document",
  "vendor-pause": "The vendor takes no orders",
  "password-mail": "No password email arrives",
  mail: "The email was rejected",
  difference: "The books don't agree",
};

/** Object of the request to a provider, for a sentence about its refusal. */
const objects: Partial<Record<WorkItemKind, string>> = {
  "stopped-order": "the order",
  "given-back": "the order",
  cancellation: "the change",
  refund: "the refund",
};

const failure =
  /^(?<name>[a-z-]+) (?<verb>refused|failed for now at) (?<call>[^(]*?)(?: \((?<codes>[^)]*)\))?(?:: (?<said>[\s\S]*))?$/;
/** Matches "900278: …", "Error: …", the stored form of failures and the portal's refusals. */
const coded = /^(?:(?<code>[A-Z]{0,6}\d{3,10})|[A-Za-z]*Error): (?<said>[\s\S]*)$/;

export function reasonFor(kind: WorkItemKind, what: string | null): Reason {
  const text = what?.trim() ?? "";
  if (text === "") return { sentence: `${beginnings[kind]}.`, raw: null };
  // These texts are our own sentences already.
  if (kind === "difference" || kind === "password-mail") return { sentence: text, raw: null };
  const { name, verb, codes = "", said = "" } = failure.exec(text)?.groups ?? {};
  if (name === undefined) return ofOtherText(kind, text);
  const who = providerName(name);
  const meaning = meaningOf(codes.split(", "), name);
  const about = objects[kind] ?? "the request";
  const beginning = verb === "refused" ? `${who} refused ${about}` : `${who} didn't complete ${about}`;
  return { sentence: joined(beginning, meaning ?? said), raw: text };
}

function ofOtherText(kind: WorkItemKind, text: string): Reason {
  const { code, said } = coded.exec(text)?.groups ?? {};
  const words = said ?? text;
  const meaning = code === undefined || kind === "document" ? null : meaningOf([code]);
  const sentence = joined(beginnings[kind], meaning ?? words);
  // Drops the raw text only if the sentence contains all of it.
  return { sentence, raw: sentence.includes(text.replace(/[.]$/, "")) ? null : text };
}

/** Returns a provider's name for a sentence. @param provider as a failure or a call names it (server/integrations/errors.ts) */
export function providerName(provider: string): string {
  if (isFamilyId(provider)) return families[provider].label;
  const payments = Object.entries(paymentProviders).find(([id]) => id === provider);
  return payments?.[1].name ?? (provider === "gsp" ? "The e-invoice portal" : provider);
}

/** Returns our own sentence for operators about a code. @param provider undefined to search every vendor's table */
function meaningOf(codes: readonly string[], provider?: string): string | null {
  const vendors = familyIds.filter((id) => provider === undefined || id === provider);
  return (
    vendors.map((id) => families[id].vendor?.meaningOf(codes) ?? null).find((found) => found !== null) ?? null
  );
}

const longest = 140;
/** Matches URLs, JSON and API calls, which are not readable sentences. */
const technical = /https?:|[{}[\]<>\n]|\b(GET|POST|PUT|PATCH|DELETE) \//;
const ordinary = /^(The|Our|We|We've|It|Its|No|Someone|Another|A|An|This|That)\b/;

function joined(beginning: string, words: string): string {
  const plain = words.trim().replace(/[.]+$/, "");
  if (plain === "" || plain.length > longest || technical.test(plain)) return `${beginning}.`;
  const inside = ordinary.test(plain) ? `${plain.charAt(0).toLowerCase()}${plain.slice(1)}` : plain;
  return `${beginning}: ${inside}.`;
}
