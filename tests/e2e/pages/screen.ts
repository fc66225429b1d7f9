/** Finds content that does not fit its screen at each width and with text of twice the size, and words that a list breaks. */
import type { Page } from "playwright/test";

/** Desktop, tablet and phone, the widths that every page supports, beginning with that of most windows. */
const widths = [1280, 768, 360] as const;

/** Pixels by which a page is wider than its screen, which would require horizontal scrolling. */
export function widerThanScreen(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Content that does not fit, at each width and with text at 200 % (WCAG 1.4.4): pages wider than the screen, and clipped text.
 * Restores the window's size.
 */
export async function misfits(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  if (before === null) return [];
  const found = await misfitsAtEachWidth(page);
  await resize(page, before);
  return found;
}

/** misfits, but leaves the window at the width of a phone. */
export async function misfitsAtEachWidth(page: Page): Promise<string[]> {
  const height = page.viewportSize()?.height ?? 740;
  const found: string[] = [];
  for (const width of widths) {
    await resize(page, { width, height });
    found.push(...(await misfitsNow(page)).map((text) => `at ${width} px: ${text}`));
    // Only at a tablet's width, because a phone's own text setting changes only that.
    if (width !== 768) continue;
    await scaleText(page, "200%");
    found.push(...(await misfitsNow(page)).map((text) => `text at 200 %: ${text}`));
    await scaleText(page, "");
  }
  return found;
}

/** Misfits on a phone with letters of twice the size, including broken words in headings. */
export async function misfitsInLargeText(page: Page): Promise<string[]> {
  await resize(page, { width: 360, height: 740 });
  await scaleText(page, "200%");
  const found = [...(await misfitsNow(page)), ...(await brokenWords(page))];
  await scaleText(page, "");
  return found;
}

/** Resizes the window if necessary. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const before = page.viewportSize();
  if (before?.width !== size.width || before.height !== size.height) await page.setViewportSize(size);
}

function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    for (const heading of document.querySelectorAll("h1, h2, h3")) {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const word of (text.textContent ?? "").matchAll(/[^\s-]+-?/g)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          if (range.getClientRects().length > 1) broken.push(`“${word[0]}” is broken in two`);
        }
      }
    }
    return broken;
  });
}

function scaleText(page: Page, size: string): Promise<void> {
  return page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

function misfitsNow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wider > 0) found.push(`the page is ${wider} px wider than the screen`);
    const bar = document.querySelector(".panel:has(> .panel-toggle)");
    const toggle = document.querySelector<HTMLElement>(".panel-toggle");
    if (bar !== null && toggle !== null && toggle.offsetParent !== null) {
      const { left, right } = bar.getBoundingClientRect();
      const short = document.documentElement.clientWidth - right + left;
      if (Math.abs(short) > 1) found.push(`the order's bar is ${short} px short of the screen`);
    }
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    for (const button of document.body.querySelectorAll("button, .button")) {
      for (const node of button.childNodes) {
        const isWord = node.nodeType === Node.TEXT_NODE && /^\s*\S{1,15}\s*$/.test(node.textContent ?? "");
        if (!isWord) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if (range.getClientRects().length > 1) found.push(`“${node.textContent}” is broken in two`);
      }
    }
    // In large letters a long word may have to break; at the usual size it must not.
    const isUsualSize = document.documentElement.style.fontSize === "";
    // A provider's id, such as rfnd_FJjewlaYRldDKR, is not a word, although its random part can lack digits.
    const whole =
      /[A-Z]{2,4}[-/][\d-]+[-/]\d{6}|\p{Sc}[\d,.]+|(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}]{2,14}(?![\p{L}\p{M}\p{N}@_])|(?<![\p{L}\p{N}_-])\d[\d,.]*(?![\p{L}\p{N}-])/gu;
    for (const cell of isUsualSize ? document.body.querySelectorAll(".list tbody :is(td, th)") : []) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const word of (text.textContent ?? "").matchAll(whole)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(`“${word[0]}” is broken in two in a list`);
        }
    }
    for (const element of document.body.querySelectorAll("*")) {
      const says = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim() !== "",
      );
      const { width, right, left } = element.getBoundingClientRect();
      // Visually hidden elements are one pixel wide; closed ones have no size.
      if (!says || width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue;
      const text = `“${element.textContent?.trim().slice(0, 60)}”`;
      if ((right > innerWidth + 1 || left < -1) && right > 0 && !scrolls(element))
        found.push(`${text} leaves the screen`);
      const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
      // The name menu's own label: once opened, the menu shows the full name.
      if (textOverflow === "ellipsis" && element.closest(".menu > summary") !== null) continue;
      const cuts = (overflow: string) => ["hidden", "clip"].includes(overflow);
      if (cuts(overflowX) && element.scrollWidth > element.clientWidth + 1) found.push(`${text} is cut off`);
      if (cuts(overflowY) && element.scrollHeight > element.clientHeight + 1)
        found.push(`${text} is cut off below`);
    }
    return found;
  });
}
