/**
 * Parses India's registration numbers for GST: kind, state, check digit, and the number of the holder. It does not query the register.
 */
import { ungrouped } from "#server/foundation/digits.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { type IndianState, otherTerritory, stateOfGstCode } from "./indian-states.ts";

interface Numbered {
  /** 15 characters, upper case. */
  value: string;
  /** `null` for a registration outside the states (codes 96 foreign, 97 other territory, 99 online services). */
  state: IndianState | null;
}

/** Regular, composition, input service distributor or special economic zone: only the register tells these apart. */
type Taxpayer = { kind: "taxpayer"; pan: string };
/** A marketplace that collects tax at source (TCS). */
type TaxCollector = { kind: "tax-collector"; pan: string };
/** A body that deducts tax at source (TDS), registered by its PAN or, mostly in government, by its TAN. */
type TaxDeductor = { kind: "tax-deductor"; pan: string } | { kind: "tax-deductor"; pan: null; tan: string };
/** A government department with the older kind of identity, which also holds a TAN. */
type Department = { kind: "department"; pan: null; tan: string };
/** An embassy or a body of the United Nations: a Unique Identity Number (UIN). */
type UnBody = { kind: "un-body"; pan: null };
/** A non-resident taxpayer (NRTP). */
type NonResident = { kind: "non-resident"; pan: null };
/** An online service from abroad (OIDAR). */
type OnlineService = { kind: "online-service"; pan: null };

/**
 * A number that is valid on an invoice to a business. `pan` is the holder's permanent account number, 10 characters; `null` if
 * the number contains none.
 */
export type Gstin = Numbered & (Taxpayer | TaxCollector | TaxDeductor | Department | UnBody);

/** A number of any kind, including those that cannot be invoiced as a business in India. */
export type RegistrationNumber = Gstin | (Numbered & (NonResident | OnlineService));

type Kind = Taxpayer | TaxCollector | TaxDeductor | Department | UnBody | NonResident | OnlineService;

/** Characters 3 to 15 of each kind, of which the first 10 are the holder's PAN or TAN if there is one. */
const forms = {
  taxpayer: /^[A-Z]{5}\d{4}[A-Z][1-9A-Z][1-9ABE-JZ][\dA-Z]$/,
  taxCollector: /^[A-Z]{5}\d{4}[A-Z][1-9A-Z]C[\dA-Z]$/,
  deductorByPan: /^[A-Z]{5}\d{4}[A-Z][1-9A-Z]D[\dA-Z]$/,
  deductorByTan: /^[A-Z]{4}\d{5}[A-Z][1-9A-Z]D[\dA-Z]$/,
  department: /^[A-Z]{4}\d{5}[A-Z][1-9A-Z]Z[\dA-Z]$/,
  // Two digits of the year, three letters of the country.
  unBody: /^\d{2}[A-Z]{3}\d{5}[OU]N[\dA-Z]$/,
  nonResident: /^\d{2}[A-Z]{3}\d{5}NR[\dA-Z]$/,
  onlineService: /^\d{2}[A-Z]{3}\d{5}OS[\dA-Z]$/,
};

const example = "29AABCB1234C1ZA";
const panExample = "AABCB1234C";
const panForm = /^[A-Z]{5}\d{4}[A-Z]$/;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const codesOutsideStates = ["96", otherTerritory];
const onlineServiceCode = "99";
/** A union territory that was merged into another, and the code of that one. */
const merged = { code: "25", name: "Daman and Diu", into: "26" };

/**
 * Parses a GSTIN or UIN as entered or copied: with spaces, hyphens or dots, in any case.
 * @returns `null` when the form, the state code or the check digit is wrong, or when its kind cannot be invoiced as a business
 */
export function parseGstin(text: string): Gstin | null {
  const read = readGstin(text);
  return "key" in read ? null : read;
}

/** Parses a number of any kind, as `parseGstin` does. */
export function parseRegistrationNumber(text: string): RegistrationNumber | null {
  const read = readNumber(text);
  return "key" in read ? null : read;
}

/** Whether a text has the form of a number of any kind, regardless of its state and check digit: 15 characters, upper case. */
export function hasRegistrationForm(text: string): boolean {
  return /^\d{2}/.test(text) && kindOf(text.slice(2)) !== null;
}

/** Returns why a text is not a number that can be invoiced; `null` when it is one. */
export function gstinProblem(text: string): MessageDescriptor | null {
  const read = readGstin(text);
  return "key" in read ? read : null;
}

/** Returns why a text is neither a GSTIN nor a PAN, for the one that it resembles more; `null` when it is one. */
export function registrationProblem(text: string): MessageDescriptor | null {
  if (parsePan(text) !== null) return null;
  return normalise(text).length > 10 ? gstinProblem(text) : msg("fields.panForm", { example: panExample });
}

/** @returns the number, or its problem */
function readGstin(text: string): Gstin | MessageDescriptor {
  const read = readNumber(text);
  if ("key" in read) return read;
  if (read.kind === "non-resident") return msg("fields.gstinNonResident");
  return read.kind === "online-service" ? msg("fields.gstinOnlineService") : read;
}

function readNumber(text: string): RegistrationNumber | MessageDescriptor {
  const value = normalise(text);
  if (value.length !== 15) return msg("fields.gstinLength", { length: value.length });
  const code = value.slice(0, 2);
  const kind = kindOf(value.slice(2));
  if (kind === null || !/^\d{2}$/.test(code)) return msg("fields.gstinForm", { example });
  const state = stateOfGstCode(code);
  if (code === merged.code) return msg("fields.gstinMerged", merged);
  if (state === null && !outsideStates(kind).includes(code)) return msg("fields.gstinState", { code });
  if (value.at(14) !== gstinCheckDigit(value.slice(0, 14))) return msg("fields.gstinCheckDigit");
  return { value, state, ...kind };
}

function kindOf(rest: string): Kind | null {
  const holder = rest.slice(0, 10);
  if (forms.taxpayer.test(rest)) return { kind: "taxpayer", pan: holder };
  if (forms.taxCollector.test(rest)) return { kind: "tax-collector", pan: holder };
  if (forms.deductorByPan.test(rest)) return { kind: "tax-deductor", pan: holder };
  if (forms.deductorByTan.test(rest)) return { kind: "tax-deductor", pan: null, tan: holder };
  if (forms.department.test(rest)) return { kind: "department", pan: null, tan: holder };
  if (forms.unBody.test(rest)) return { kind: "un-body", pan: null };
  if (forms.nonResident.test(rest)) return { kind: "non-resident", pan: null };
  return forms.onlineService.test(rest) ? { kind: "online-service", pan: null } : null;
}

function outsideStates({ kind }: Kind): readonly string[] {
  return kind === "online-service" ? [onlineServiceCode] : codesOutsideStates;
}

/** Parses a PAN; returns its 10 characters in upper case, or `null` when the form is wrong. */
export function parsePan(text: string): string | null {
  const value = normalise(text);
  return panForm.test(value) ? value : null;
}

/** Returns the PAN that a text is, or that a GSTIN contains; `null` if there is none. */
export function panIn(text: string): string | null {
  return parsePan(text) ?? parseGstin(text)?.pan ?? null;
}

/**
 * Returns the last character of a GSTIN.
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

const normalise = (text: string) => ungrouped(text).toUpperCase();
