/** A phone number as people write or paste it. The one reading of it, for forms, calls and the script of the page. */

/** How numbers of a country are written: `PhoneForm` of server/countries, as far as a browser needs it. */
export interface KnownPhone<Code extends string = string> {
  /** "+91" */
  code: Code;
  /** Without the country's code. */
  digits: number;
}

export interface Phone<Code extends string = string> {
  code: Code;
  /** As many digits as the country has, the first not 0. */
  number: string;
}

/**
 * Takes spaces, brackets, dots and hyphens, the country's code before the number, as +91 or 0091, and the 0 that is dialled inside
 * a country.
 * @param chosen the code beside it; one that is written before the number counts instead
 * @param known the countries whose numbers are taken
 * @returns null unless as many digits are left as that country has, and for letters
 */
export function readPhone<Code extends string>(
  text: string,
  chosen: string,
  known: readonly KnownPhone<Code>[],
): Phone<Code> | null {
  // A number that was copied brings invisible marks along.
  const written = text.replace(/[\s().\p{Pd}\p{Cf}]/gu, "");
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

/** What follows a country's code; nothing when it does not begin with it. */
function without(code: string, digits: string): string {
  const own = code.slice(1);
  return digits.startsWith(own) ? digits.slice(own.length) : "";
}

function nationalNumber(digits: string, length: number): string | null {
  return new RegExp(`^0?([1-9]\\d{${length - 1}})$`).exec(digits)?.[1] ?? null;
}

/** The known countries as an attribute of the field holds them for the script of the page: "+91:10 +1:10". */
export function phoneAttribute(known: readonly KnownPhone[]): string {
  return known.map(({ code, digits }) => `${code}:${digits}`).join(" ");
}

export function readPhoneAttribute(text: string): KnownPhone[] {
  return text.split(" ").map((each) => {
    const [code = "", digits] = each.split(":");
    return { code, digits: Number(digits) };
  });
}
