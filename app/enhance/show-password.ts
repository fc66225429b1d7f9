/**
 * Shows a password while its field's button is pressed in. Hides it again before submission, so that no browser remembers it as
 * text.
 */

export function showPasswords(root: Document): void {
  root.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>("[data-shows]");
    if (button !== null) show(root, button, button.ariaPressed !== "true");
  });
  root.addEventListener(
    "submit",
    () => {
      for (const button of root.querySelectorAll<HTMLElement>("[data-shows]")) show(root, button, false);
    },
    { capture: true },
  );
}

function show(root: Document, button: HTMLElement, isShown: boolean): void {
  const field = root.getElementById(button.dataset.shows ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  button.ariaPressed = String(isShown);
  field.type = isShown ? "text" : "password";
}

showPasswords(document);
