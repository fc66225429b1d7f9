/** Parses an Indian tax number (GSTIN): its form, check digit, state and holder's PAN. It does not query the register. */
import { type Told, told } from "#server/languages/text.ts";
import { type IndianState, stateOfGstCode } from "./indian-states.ts";

export interface Gstin {
  /** 15 characters, upper case. */
  value: string;
  /** `null` for a registration outside the states (codes 96 foreign, 97 other territory). */
  state: IndianState | null;
  /** The holder's permanent account number, 10 characters. */
  pan: string;
}

const form = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;
const example = "29AABCB1234C1ZA";
const panExample = "AABCB1234C";
const panForm = /^[A-Z]{5}\d{4}[A-Z]$/;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const codesOutsideStates = ["96", "97"];

/**
 * Parses a GSTIN as typed or copied: with spaces, hyphens or dots, in any case.
 * @returns `null` when the form, the state code or the check digit is wrong
 */
export function parseGstin(text: string): Gstin | null {
  const read = readGstin(text);
  return "key" in read ? null : read;
}

/** Why a text is not a GSTIN, as a sentence; `null` when it is one. */
export function gstinProblem(text: string): Told | null {
  const read = readGstin(text);
  return "key" in read ? read : null;
}

/** Why a text is neither a GSTIN nor a PAN, judged by the one it is closer to; `null` when it is one. */
export function registrationProblem(text: string): Told | null {
  if (parsePan(text) !== null) return null;
  return normalise(text).length > 10 ? gstinProblem(text) : told("fields.panForm", { example: panExample });
}

/** @returns the GSTIN, or what is wrong with it */
function readGstin(text: string): Gstin | Told {
  const value = normalise(text);
  if (value.length !== 15) return told("fields.gstinLength", { length: value.length });
  if (!form.test(value)) return told("fields.gstinForm", { example });
  const code = value.slice(0, 2);
  const state = stateOfGstCode(code);
  if (state === null && !codesOutsideStates.includes(code)) return told("fields.gstinState", { code });
  if (value.at(14) !== gstinCheckDigit(value.slice(0, 14))) return told("fields.gstinCheckDigit");
  return { value, state, pan: value.slice(2, 12) };
}

/** Parses a PAN as typed; returns its 10 characters in upper case, or `null` when the form is wrong. */
export function parsePan(text: string): string | null {
  const value = normalise(text);
  return panForm.test(value) ? value : null;
}

/**
 * The last character of a GSTIN.
 * @param first14 the other characters, 0-9 and A-Z
 * @throws RangeError when they are not
 */
export function gstinCheckDigit(first14: string): string {
  if (!/^[0-9A-Z]{14}$/.test(first14))
    throw new RangeError("The check digit is made of 14 characters 0-9A-Z");
  let sum = 0;
  for (const [index, character] of [...first14].entries()) {
    const product = alphabet.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return alphabet.charAt((36 - (sum % 36)) % 36);
}

/** Letterheads group the characters, and copied text can contain invisible ones. */
function normalise(text: string): string {
  return text.replace(/[\s.\p{Pd}\p{Cf}]/gu, "").toUpperCase();
}
