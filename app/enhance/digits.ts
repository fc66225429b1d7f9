/**
 * Cleans number fields as they are typed: only digits stay, a negative becomes 0, and an empty field or 0 becomes the field's
 * fallback, if it has one. The server validates every value again.
 */
import { plainDigits } from "#server/foundation/digits.ts";

export function digitFields(root: Document): void {
  /**
   * Fields in which a rejected separator has ended the number, with that number: typed key by key, 2.5 must not become 25.
   */
  const ended = new WeakMap<HTMLInputElement, string>();
  /** The element being pressed: a press moves the focus before it becomes a click. */
  let pressed: EventTarget | null = null;
  root.addEventListener("mousedown", ({ target }) => {
    pressed = target;
  });
  root.addEventListener("click", () => {
    pressed = null;
  });
  root.addEventListener("input", ({ target }) => {
    if (!isDigitField(target)) return;
    const typed = target.value;
    const number = ended.get(target);
    // Deleting characters or starting over makes it a different number.
    const goesOn = number !== undefined && typed.length > number.length && typed.startsWith(number);
    const cleaned = goesOn ? number : digitsOf(target);
    if (goesOn || endsNumber(target)) ended.set(target, cleaned);
    else ended.delete(target);
    // Written only when it differs, because writing moves the caret.
    if (cleaned !== typed) target.value = cleaned;
  });
  root.addEventListener("focusout", ({ target }) => {
    // Pressing the form's button keeps the 0, as Enter does, so that the server refuses it. A replacement here would charge
    // the buyer for a number they never saw.
    if (!isDigitField(target)) return;
    ended.delete(target);
    if (!target.dataset.fallback || sends(pressed, target.form)) return;
    if (Number(target.value) === 0) target.value = target.dataset.fallback;
  });
}

function sends(pressed: EventTarget | null, form: HTMLFormElement | null): boolean {
  const button = pressed instanceof Element ? pressed.closest("button") : null;
  return button !== null && button.type === "submit" && button.form === form;
}

/** Digits of a field. A quantity ends at the first non-digit, or 2.5 would become 25; a phone number keeps every digit. */
function digitsOf({ value, dataset }: HTMLInputElement): string {
  // 1,000 and 1 000 both mean a thousand.
  const typed = plainDigits(value).replace(/[,\s]/g, "");
  if (dataset.fallback === undefined) return typed.replace(/\D/g, "");
  return /^[-.]/.test(typed) ? "0" : (/^\d*/.exec(typed)?.[0] ?? "");
}

/** Whether a character ends the number. A letter is a typing slip; a point or a minus sign begins a different kind of number. */
function endsNumber({ value, dataset }: HTMLInputElement): boolean {
  return dataset.fallback !== undefined && /[^\p{L}\d,\s]$/u.test(plainDigits(value));
}

function isDigitField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.dataset.digits !== undefined;
}
