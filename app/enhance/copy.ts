/** Copy buttons, shown only where scripts can copy. They confirm for two seconds. */
const noticeMs = 2000;

export function copyButtons(root: Document): void {
  root.addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLElement)) return;
    const button = event.target.closest<HTMLElement>("[data-copy]");
    if (button === null) return;
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
