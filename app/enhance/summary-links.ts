/**
 * A line of an error summary leads to its field. The browser's own way there is a navigation, which would end a post that is
 * under way; here the focus just moves.
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
