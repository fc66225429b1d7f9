/** Selects the GST dialog's "GST number" choice while a number is typed. */
export function gstChoice(root: Document): void {
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const radio = target
      .closest("[data-chooses]")
      ?.previousElementSibling?.querySelector("input[type=radio]");
    if (radio instanceof HTMLInputElement) radio.checked = true;
  });
}
