/** Copy buttons, shown only where scripts can copy. They confirm for two seconds. */
import { onClick } from "./clicks.ts";

const noticeMs = 2000;

export function copyButtons(root: Document): void {
  onClick(root, "[data-copy]", (button) => {
    const label = button.dataset.label ?? button.textContent ?? "";
    button.dataset.label = label;
    button.setAttribute("aria-live", "polite");
    navigator.clipboard.writeText(button.dataset.copy ?? "").then(
      () => {
        button.textContent = button.dataset.copied ?? "";
        setTimeout(() => {
          button.textContent = label;
        }, noticeMs);
      },
      () => {
        button.textContent = button.dataset.byHand ?? "";
      },
    );
  });
}
