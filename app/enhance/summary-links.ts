/**
 * A link in the error summary focuses its field. The browser's own navigation would abort a POST in flight, so the script
 * only moves the focus.
 */
import { onClick } from "./clicks.ts";

export function summaryLinks(root: Document): void {
  onClick(root, ".error-summary a", (link, event) => {
    const field = root.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (field === null) return;
    event.preventDefault();
    field.focus();
  });
}
