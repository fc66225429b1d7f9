/**
 * Formats names within Razorpay's limits for a customer: 3 to 50 letters, digits, spaces and . ' / @ ( ) (docs/providers.md,
 * section 3.6). Razorpay refuses a payment link with any other name.
 */

const least = 3;
const most = 50;
/** Letters without an accent to remove. */
const spelled: Readonly<Record<string, string>> = {
  Æ: "AE",
  æ: "ae",
  Œ: "OE",
  œ: "oe",
  Ø: "O",
  ø: "o",
  ß: "ss",
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Þ: "Th",
  þ: "th",
  ı: "i",
  "’": "'",
};

/** Name of a customer none of whose names fits within the limits. */
export const standardCustomerName = "Customer";

/** Returns the first of a customer's names that fits within Razorpay's limits, cut to their length. */
export function fitCustomerName(...names: readonly string[]): string {
  return names.map(fit).find((name) => name.length >= least && /[A-Za-z]/.test(name)) ?? standardCustomerName;
}

function fit(name: string): string {
  return [...name]
    .map((letter) => spelled[letter] ?? letter)
    .join("")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9.'/@()]+/g, " ")
    .trim()
    .slice(0, most)
    .trim();
}

/** Returns a telephone number with its country's code; undefined when Razorpay would refuse its length. */
export function fitContact(contact: string): string | undefined {
  return contact.length >= 8 && contact.length <= 14 ? contact : undefined;
}
