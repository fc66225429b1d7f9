/** Shows a password while the button in its field is pressed in. It is hidden again before it is sent, so that no browser remembers it as a text. */

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
