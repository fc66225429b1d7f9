/**
 * Errors go as their field is typed in: the field's own, its line in the summary, and the summary with its last line. Only on
 * pages that React does not keep: it would not know that they are gone.
 */
export function typedOverErrors(root: Document): void {
  if ("__remixContext" in window) return;
  root.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (target.getAttribute("aria-invalid") !== "true") return;
    target.removeAttribute("aria-invalid");
    target.closest(".field")?.querySelector(".error")?.remove();
    // What is gone describes nothing any more.
    const described = (target.getAttribute("aria-describedby") ?? "").split(" ");
    const left = described.filter((id) => root.getElementById(id) !== null);
    if (left.length > 0) target.setAttribute("aria-describedby", left.join(" "));
    else target.removeAttribute("aria-describedby");

    const summary = target.form?.querySelector(".error-summary");
    summary?.querySelector(`a[href="#${target.id}"]`)?.closest("li")?.remove();
    if (summary?.querySelector("li") === null) summary.remove();
  });
}
