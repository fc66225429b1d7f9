/**
 * Cleans a phone number as it is typed: only digits stay. A complete number, pasted or autofilled, is converted to its stored
 * form, and the country-code select, if there is one, follows a code written with the number.
 */
import { plainDigits } from "#server/foundation/digits.ts";
import { readPhone, readPhoneAttribute } from "../forms/phone.ts";

export function phoneFields(root: Document): void {
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.phone === undefined) return;
    const known = readPhoneAttribute(target.dataset.phone);
    const select = root.getElementById(target.dataset.code ?? "");
    const codes = select instanceof HTMLSelectElement ? select : null;
    const phone = readPhone(target.value, codes?.value ?? known[0]?.code ?? "", known);
    const cleaned = phone?.number ?? plainDigits(target.value).replace(/\D/g, "");
    // Written only when it differs, because writing moves the caret.
    if (cleaned !== target.value) target.value = cleaned;
    if (phone !== null && codes !== null) codes.value = phone.code;
  });
}
