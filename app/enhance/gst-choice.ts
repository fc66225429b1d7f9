/**
 * Keeps the GST dialog's Proceed button disabled until a choice is made. Without scripts the required radio does the same.
 * Typing a GST number selects that choice.
 */
import { onPageChange } from "./each-page.ts";

export function gstChoice(root: Document): void {
  const update = () => {
    for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-needs-choice]")) {
      const name = button.dataset.needsChoice ?? "";
      const chosen = button.form?.querySelector(`input[name="${name}"]:checked`) ?? null;
      button.disabled = chosen === null;
    }
  };
  root.addEventListener("change", update);
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const radio = target
      .closest("[data-chooses]")
      ?.previousElementSibling?.querySelector("input[type=radio]");
    if (!(radio instanceof HTMLInputElement)) return;
    radio.checked = true;
    update();
  });
  onPageChange(root, update);
}
