/**
 * A phone number while it is typed: digits only. One that is whole, as when it was pasted or filled in by the browser, is put in the
 * form in which it is kept, and the country code beside it, where there is one, follows one that was written with it.
 */
import { readPhone, readPhoneAttribute } from "../forms/phone.ts";

export function phoneFields(root: Document): void {
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.phone === undefined) return;
    const known = readPhoneAttribute(target.dataset.phone);
    const select = root.getElementById(target.dataset.code ?? "");
    const codes = select instanceof HTMLSelectElement ? select : null;
    const phone = readPhone(target.value, codes?.value ?? known[0]?.code ?? "", known);
    const cleaned = phone?.number ?? target.value.replace(/\D/g, "");
    // Written only when it differs: writing moves the cursor.
    if (cleaned !== target.value) target.value = cleaned;
    if (phone !== null && codes !== null) codes.value = phone.code;
  });
}
