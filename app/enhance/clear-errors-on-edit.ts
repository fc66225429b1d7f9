/**
 * Clears errors as their field is edited: the field's own, its line in the summary, and the summary with its last line. Skips
 * pages that React controls, because React would not know about the removal.
 */
export function clearErrorsOnEdit(root: Document): void {
  if ("__remixContext" in window) return;
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (target.getAttribute("aria-invalid") !== "true") return;
    target.removeAttribute("aria-invalid");
    target.closest(".field")?.querySelector(".error")?.remove();
    // Drop ids of removed errors from aria-describedby.
    const described = (target.getAttribute("aria-describedby") ?? "").split(" ");
    const left = described.filter((id) => root.getElementById(id) !== null);
    if (left.length > 0) target.setAttribute("aria-describedby", left.join(" "));
    else target.removeAttribute("aria-describedby");

    const summary = target.form?.querySelector(".error-summary");
    summary?.querySelector(`a[href="#${target.id}"]`)?.closest("li")?.remove();
    if (summary?.querySelector("li") === null) summary.remove();
  });
}
