/**
 * A user without a mouse. The page objects name actions ("press this, fill in that"); in the project `keyboard` they use only
 * keys: Tab to the element, type, Enter. An element that Tab does not reach, or that has no visible focus, fails the test.
 */
import { expect, type Locator, type Page } from "playwright/test";

/** More tab stops than any page has. */
const mostStops = 150;
const select = process.platform === "darwin" ? "Meta+A" : "Control+A";

/**
 * Makes every locator act by keyboard, in this test process.
 * @returns a function that restores the pointer
 */
export function actByKeyboard(page: Page): () => void {
  const locators: Locator = Object.getPrototypeOf(page.locator("html"));
  const { click, fill, check, uncheck, selectOption, hover, tap, dblclick } = locators;
  const byPointer = { click, fill, check, uncheck, selectOption, hover, tap, dblclick };
  const nobody = (what: string) =>
    function refuse(this: Locator): Promise<never> {
      throw new Error(`${what} needs a pointer: ${this}`);
    };
  Object.assign(locators, {
    async click(this: Locator) {
      await tabTo(this);
      // On the locator, which already has the focus: like a click, it waits for the navigation that the key starts.
      await this.press(await keyThatPresses(this));
    },
    async fill(this: Locator, text: string) {
      await tabTo(this);
      const { keyboard } = this.page();
      if ((await this.getAttribute("type")) === "month") {
        // Month and year are separate parts, into which nothing can be pasted.
        const [year, month] = text.split("-");
        await keyboard.type(`${month}${year}`);
        return expect(this).toHaveValue(text);
      }
      await keyboard.press(select);
      if (text === "") await keyboard.press("Delete");
      // All at once, like a paste: single keys test nothing more and take a third of the test's time.
      else await keyboard.insertText(text);
    },
    check(this: Locator) {
      return tick(this, true);
    },
    uncheck(this: Locator) {
      return tick(this, false);
    },
    async selectOption(this: Locator, choice: string | { label: string }) {
      await tabTo(this);
      const wanted = typeof choice === "string" ? choice : choice.label;
      const option = await this.evaluate(findOption, wanted);
      if (option === null) throw new Error(`${this} has no option ${wanted}`);
      await this.page().keyboard.type(option.label);
      await expect(this).toHaveValue(option.value);
      return [option.value];
    },
    hover: nobody("hover"),
    tap: nobody("tap"),
    dblclick: nobody("dblclick"),
  });
  return () => Object.assign(locators, byPointer);
}

/** @throws Error when Tab never reaches it, or its focus is not visible */
async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await target.evaluate(hasFocus)) return expectSeen(target);
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches ${target}`);
}

/** Toggles a checkbox with Space; a radio group, which is one tab stop, with the arrow keys. */
async function tick(target: Locator, wanted: boolean): Promise<void> {
  const { keyboard } = target.page();
  const group = await target.evaluate((input) =>
    input instanceof HTMLInputElement && input.type === "radio" ? input.name : null,
  );
  if (group === null) {
    await tabTo(target);
    if ((await target.isChecked()) !== wanted) await keyboard.press("Space");
  } else {
    await tabToGroup(target, group);
    for (let move = 0; move < 20 && !(await target.isChecked()); move += 1) {
      await keyboard.press((await target.evaluate(hasFocus)) ? "Space" : "ArrowDown");
    }
  }
  await expect(target).toBeChecked({ checked: wanted });
}

async function tabToGroup(radio: Locator, name: string): Promise<void> {
  await expect(radio).toBeVisible();
  for (let stop = 0; stop < mostStops; stop += 1) {
    const isThere = await radio.evaluate((element, group) => {
      const { activeElement } = element.ownerDocument;
      return activeElement instanceof HTMLInputElement && activeElement.name === group;
    }, name);
    if (isThere) return;
    await radio.page().keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches the choices of ${name}`);
}

/** The key that presses it: links accept only Enter, checkboxes only Space. */
function keyThatPresses(target: Locator): Promise<"Enter" | "Space"> {
  return target.evaluate((element) => (element.matches("input[type=checkbox]") ? "Space" : "Enter"));
}

/** Finds an option by its value or its label, as Playwright does. */
function findOption(select: Element, wanted: string): { value: string; label: string } | null {
  const options = select instanceof HTMLSelectElement ? [...select.options] : [];
  const found = options.find(({ value, label }) => value === wanted || label === wanted);
  return found === undefined ? null : { value: found.value, label: found.label };
}

function hasFocus(element: Element): boolean {
  const { ownerDocument } = element;
  return ownerDocument.hasFocus() && ownerDocument.activeElement === element;
}

/** Expects a visible focus that nothing covers (WCAG 2.4.7 and 2.4.11). */
async function expectSeen(target: Locator): Promise<void> {
  const unseen = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    // "auto" is the browser's own outline, regardless of its width.
    if (outlineStyle !== "auto" && !(outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2))
      return "shows no focus";
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isOutside = bottom < 0 || right < 0 || top > innerHeight || left > innerWidth;
    if (isOutside) return "has the focus outside of the window";
    const middle = document.elementFromPoint(
      (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
      (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
    );
    if (middle === null) return "has the focus outside of the window";
    // A label around a checkbox is at the same place, as is the content of a button.
    const isCovered = !element.contains(middle) && !middle.contains(element);
    return isCovered ? `has the focus under ${middle.outerHTML.slice(0, 200)}` : null;
  });
  expect(unseen, String(target)).toBeNull();
}
