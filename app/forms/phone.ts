/** Parses a phone number as people write or paste it. The one parser for forms, calls and the page's script. */
import { plainDigits } from "#server/foundation/digits.ts";

/** Format of a country's numbers: the part of `PhoneFormat` in server/foundation/countries that a browser needs. */
export interface KnownPhone<Code extends string = string> {
  /** "+91" */
  code: Code;
  /** Number of digits without the country code. */
  digits: number;
}

export interface Phone<Code extends string = string> {
  code: Code;
  /** National number: all the digits of the country's format, the first not 0. */
  number: string;
}

/**
 * Accepts spaces, brackets, dots and hyphens, a country code before the number (+91 or 0091), and the domestic trunk prefix
 * 0.
 * @param chosen the code beside it; a code written before the number takes precedence
 * @param known the accepted countries
 * @returns null when the text has letters, or when the remaining digits do not match the country's length
 */
export function readPhone<Code extends string>(
  text: string,
  chosen: string,
  known: readonly KnownPhone<Code>[],
): Phone<Code> | null {
  // Copied numbers often contain invisible formatting characters.
  const written = plainDigits(text).replace(/[\s().\p{Pd}\p{Cf}]/gu, "");
  const fromAbroad = /^(?:\+|00)(\d+)$/.exec(written)?.[1];
  const candidates =
    fromAbroad === undefined
      ? known
          .filter(({ code }) => code === chosen)
          .flatMap((form) => [
            { form, digits: written },
            { form, digits: without(form.code, written) },
          ])
      : known.map((form) => ({ form, digits: without(form.code, fromAbroad) }));
  for (const { form, digits } of candidates) {
    const number = nationalNumber(digits, form.digits);
    if (number !== null) return { code: form.code, number };
  }
  return null;
}

/** The digits after a country code, or an empty string when the text does not begin with it. */
function without(code: string, digits: string): string {
  const own = code.slice(1);
  return digits.startsWith(own) ? digits.slice(own.length) : "";
}

function nationalNumber(digits: string, length: number): string | null {
  return new RegExp(`^0?([1-9]\\d{${length - 1}})$`).exec(digits)?.[1] ?? null;
}

/** The known countries as a field attribute for the page's script: "+91:10 +1:10". */
export function phoneAttribute(known: readonly KnownPhone[]): string {
  return known.map(({ code, digits }) => `${code}:${digits}`).join(" ");
}

export function readPhoneAttribute(text: string): KnownPhone[] {
  return text.split(" ").map((each) => {
    const [code = "", digits] = each.split(":");
    return { code, digits: Number(digits) };
  });
}
