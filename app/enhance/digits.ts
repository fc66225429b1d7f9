/**
 * Number fields while they are typed: digits only, a negative becomes 0, and what is left empty or 0 becomes the field's own
 * fallback, if it has one. The server checks whatever arrives.
 */
export function digitFields(root: Document): void {
  /** Fields whose number a refused separator has ended, with that number: typed key by key, 2.5 must not become 25. */
  const ended = new WeakMap<HTMLInputElement, string>();
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
    const typed = target.value;
    const number = ended.get(target);
    // Whatever takes something away, or begins anew, is another number.
    const goesOn = number !== undefined && typed.length > number.length && typed.startsWith(number);
    const cleaned = goesOn ? number : digitsOf(target);
    if (goesOn || endsNumber(target)) ended.set(target, cleaned);
    else ended.delete(target);
    // Written only when it differs: writing moves the cursor.
    if (cleaned !== typed) target.value = cleaned;
  });
  root.addEventListener("focusout", ({ target }) => {
    // Whoever presses the form's button hears that 0 is none, as with Enter: a number that nobody saw would be charged for.
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

/** A number ends where its digits do, or 2.5 would become 25; of a phone number every digit counts. */
function digitsOf({ value, dataset }: HTMLInputElement): string {
  // 1,000 and 1 000 are a thousand.
  const typed = value.replace(/[,\s]/g, "");
  if (dataset.fallback === undefined) return typed.replace(/\D/g, "");
  return /^[-.]/.test(typed) ? "0" : (/^\d*/.exec(typed)?.[0] ?? "");
}

/** A letter is a slip of the finger; a point or a minus says that what follows belongs to another kind of number. */
function endsNumber({ value, dataset }: HTMLInputElement): boolean {
  return dataset.fallback !== undefined && /[^\p{L}\d,\s]$/u.test(value);
}

function isDigitField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.dataset.digits !== undefined;
}
