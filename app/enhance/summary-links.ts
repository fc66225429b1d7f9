/**
 * A link in the error summary focuses its field. The browser's own navigation would abort a POST in flight, so the script
 * only moves the focus.
 */
export function summaryLinks(root: Document): void {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest(".error-summary a") : null;
    const field = link === null ? null : root.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (field === null) return;
    event.preventDefault();
    field.focus();
  });
}
