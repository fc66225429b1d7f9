/** Checks that a page's reading order matches its visual order, and that controls are visible without colours. */
import type { Page } from "playwright/test";

/** Headings, labels and buttons that come before another in the document but are below it in the same column. */
export function outOfOrder(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const sticks = (element: Element | null): boolean =>
      element !== null &&
      (["fixed", "sticky", "absolute"].includes(getComputedStyle(element).position) ||
        sticks(element.parentElement));
    let before: { top: number; left: number; right: number; text: string } | null = null;
    for (const element of document.querySelectorAll(
      "main :is(h1, h2, h3, h4, label, legend, button, .button)",
    )) {
      if (!element.checkVisibility({ visibilityProperty: true }) || sticks(element)) continue;
      const { top, bottom, left, right, width } = element.getBoundingClientRect();
      // Visually hidden elements are one pixel wide.
      if (width <= 1) continue;
      const text = element.textContent?.trim().slice(0, 40) ?? "";
      const isAbove =
        before !== null && left < before.right && right > before.left && bottom <= before.top + 1;
      if (before !== null && isAbove) found.push(`“${before.text}” is read before “${text}” but is below it`);
      before = { top, left, right, text };
    }
    return found;
  });
}

/** Buttons and fields without a border, which forced colours make invisible. */
export function unseenInForcedColours(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main :is(.button, button, input, select, textarea)")]
      .filter((control) => {
        const { outlineStyle, textDecorationLine, appearance } = getComputedStyle(control);
        const { width } = control.getBoundingClientRect();
        const isShown =
          width > 1 && control.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        // A group's parts share its border.
        const hasEdge = [control, control.parentElement, control.closest("fieldset, .stepper")].some(
          (element) => element !== null && Number.parseFloat(getComputedStyle(element).borderTopWidth) >= 1,
        );
        const isDrawnByBrowser = appearance !== "none" && !["button", "textfield"].includes(appearance);
        return (
          isShown && !hasEdge && outlineStyle === "none" && textDecorationLine === "none" && !isDrawnByBrowser
        );
      })
      .map((control) => `${control.outerHTML.slice(0, 120)} has no edge in forced colours`),
  );
}
