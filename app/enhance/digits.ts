/**
 * Number fields while they are typed (SPEC section 5): digits only, a negative becomes 0, and what is left empty or 0
 * becomes the field's own fallback, if it has one. The server checks whatever arrives.
 */
export function digitFields(root: Document): void {
  /** What the pointer is pressing: a press takes the focus away before it is a click. */
  let pressed: EventTarget | null = null;
  root.addEventListener("mousedown", ({ target }) => {
    pressed = target;
  });
  root.addEventListener("click", () => {
    pressed = null;
  });
  root.addEventListener("input", ({ target }) => {
    if (!isDigitField(target)) return;
    const cleaned = digitsOf(target);
    // Written only when it differs: writing moves the cursor.
    if (cleaned !== target.value) target.value = cleaned;
  });
  root.addEventListener("focusout", ({ target }) => {
    // Whoever presses the form's button hears that 0 is none, as with Enter: a number that nobody saw would be charged for.
    if (!isDigitField(target) || !target.dataset.fallback || sends(pressed, target.form)) return;
    if (Number(target.value) === 0) target.value = target.dataset.fallback;
  });
}

function sends(pressed: EventTarget | null, form: HTMLFormElement | null): boolean {
  const button = pressed instanceof Element ? pressed.closest("button") : null;
  return button !== null && button.type === "submit" && button.form === form;
}

/** A number ends where its digits do, or 2.5 would become 25; of a phone number every digit counts. */
function digitsOf({ value, dataset }: HTMLInputElement): string {
  // 1,000 and 1 000 are a thousand.
  const typed = value.replace(/[,\s]/g, "");
  if (dataset.fallback === undefined) return typed.replace(/\D/g, "");
  return typed.startsWith("-") ? "0" : (/^\d*/.exec(typed)?.[0] ?? "");
}

function isDigitField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.dataset.digits !== undefined;
}
