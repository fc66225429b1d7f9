/** The GST dialog's Proceed stays disabled until a choice exists; without scripts the required radio does the same. */
export function gstChoice(root: Document): void {
  const update = () => {
    for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-needs-choice]")) {
      const name = button.dataset.needsChoice ?? "";
      const chosen = button.form?.querySelector(`input[name="${name}"]:checked`) ?? null;
      button.disabled = chosen === null;
    }
  };
  root.addEventListener("change", update);
  // The dialog may come later, when React shows the next page without a load.
  new MutationObserver(update).observe(root.body, { childList: true, subtree: true });
  update();
}
