/** A phone number as people write or paste it. The one reading of it, for forms, calls and the script of the page. */

export const phoneCodes = ["+91", "+1", "+44"] as const;
export type PhoneCode = (typeof phoneCodes)[number];

export interface Phone {
  code: PhoneCode;
  /** 10 digits, the first not 0. */
  number: string;
}

/**
 * Takes spaces, brackets, dots and hyphens, the country's code before the number, as +91 or 0091, and the 0 that is dialled inside
 * a country.
 * @param code the one chosen beside it; one that is written before the number counts instead
 * @returns null unless 10 digits are left, and of letters
 */
export function readPhone(text: string, code: PhoneCode): Phone | null {
  // A number that was copied brings marks along that nobody sees.
  const written = text.replace(/[\s().\p{Pd}\p{Cf}]/gu, "");
  const fromAbroad = /^(?:\+|00)(\d+)$/.exec(written)?.[1];
  if (fromAbroad === undefined) {
    const number = nationalNumber(written) ?? nationalNumber(without(code, written));
    return number === null ? null : { code, number };
  }
  for (const known of phoneCodes) {
    const number = nationalNumber(without(known, fromAbroad));
    if (number !== null) return { code: known, number };
  }
  return null;
}

/** The digits alone, where no country's code is kept with them; of a number that is whole, those within its country. */
export function phoneDigits(text: string): string {
  return readPhone(text, "+91")?.number ?? text.replace(/\D/g, "");
}

/** What follows a country's code; nothing when it does not begin with it. */
function without(code: PhoneCode, digits: string): string {
  const own = code.slice(1);
  return digits.startsWith(own) ? digits.slice(own.length) : "";
}

function nationalNumber(digits: string): string | null {
  return /^0?([1-9]\d{9})$/.exec(digits)?.[1] ?? null;
}
