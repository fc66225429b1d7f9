/**
 * Buttons on both sides of a number that count it up and down, within the field's `min` and `max`. The field fires the same
 * events as for typing, so its listeners run.
 */
import { onClick } from "./clicks.ts";

export function steppers(root: Document): void {
  onClick(root, "[data-count]", (button) => {
    const field = button.parentElement?.querySelector("input");
    if (!field) return;
    const least = field.min === "" ? 1 : Number(field.min);
    const most = field.max === "" ? Infinity : Number(field.max);
    const counted = (Number.parseInt(field.value, 10) || 0) + Number(button.dataset.count);
    field.value = String(Math.min(most, Math.max(least, counted)));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
