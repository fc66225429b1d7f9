/** A4 pages of a PDF, filled from top to bottom with selectable text and drawings. */
import PDFDocument from "pdfkit";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { openedFont, runsOf, type Weight } from "./fonts.ts";
import type { Party } from "./view.ts";

/** Points, 72 per inch. */
export const pageGeometry = { width: 595.28, height: 841.89, margin: 48 };
const bottom = pageGeometry.height - 76;
export const contentWidth = pageGeometry.width - 2 * pageGeometry.margin;
const lineHeight = 1.4;
/** Distance between a line's top and its baseline, as a multiple of the font size. */
const ascent = 1.07;
export const gap = 8;
/** Switches off the font features that place marks above and below letters. */
const withoutMarks = { features: { mark: false, mkmk: false, abvm: false, blwm: false } };
/** Scripts whose letters are drawn in another order than read, so the original text is stored for copying and searching. */
const indic = /[\u0900-\u0d7f]/;
export const ink = "#1e2a32";
export const mutedInk = "#55636d";
const rule = "#b9c0c4";

export interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
}
export interface Box {
  x: number;
  width: number;
  align?: "left" | "right";
}

/** Metadata of a PDF. */
export interface PdfMetadata {
  title: string;
  /** Also printed in the footer of each page. */
  number: string;
  author: string;
  language: LanguageId;
}

/**
 * Stores the original text of drawn letters (ActualText). pdfkit would write it around the text object, where some readers
 * misplace it, instead of inside.
 */
class Document extends PDFDocument {
  /** The text written next; null when it can be read from the letters. */
  actualText: string | null = null;

  override addContent(data: string): PDFKit.PDFDocument {
    if (this.actualText === null) return super.addContent(data);
    if (data === "ET") super.addContent("EMC");
    super.addContent(data);
    if (data !== "BT") return this;
    const utf16 = Buffer.from(`\ufeff${this.actualText}`, "utf16le").swap16();
    return super.addContent(`/Span <</ActualText <${utf16.toString("hex")}>>> BDC`);
  }
}

/** A cursor on the pages: keeps its position, wraps text, and can measure without drawing. */
export class PdfPage {
  readonly #doc: Document;
  readonly #chunks: Buffer[] = [];
  readonly #fonts = new Set<string>();
  #y = pageGeometry.margin;
  /** Index of the current page, from 0. */
  #current = 0;
  #isMeasuring = false;

  constructor({ title, number, author, language }: PdfMetadata, createdAt: Date) {
    this.#doc = new Document({
      size: [pageGeometry.width, pageGeometry.height],
      // The page class handles margins itself, because pdfkit would otherwise start pages automatically.
      margin: 0,
      bufferPages: true,
      lang: language,
      displayTitle: true,
      info: {
        Title: `${title} ${number}`,
        Author: author,
        CreationDate: createdAt,
        ModDate: createdAt,
      },
    });
    this.#doc.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  space(points: number): void {
    this.#y += points;
  }

  /** Wraps within the box, and continues on the next page when this one is full. */
  text(text: string, box: Box, { size = 9.5, weight = "regular", color = ink }: Style = {}): void {
    for (const line of this.#wrap(text, box.width, size, weight)) {
      const height = size * lineHeight;
      if (!this.#isMeasuring && this.needsPage(height)) this.addPage();
      if (!this.#isMeasuring) this.#write(line, box, size, weight, color);
      this.#y += height;
    }
  }

  /** Draws a path as wide as the box. @param units width and height of the path's coordinate system */
  drawing(path: string, units: number, { x, width }: Box): void {
    if (!this.#isMeasuring) {
      this.#doc.save();
      this.#doc.translate(x, this.#y).scale(width / units);
      this.#doc.path(path).fill("#000000");
      this.#doc.restore();
    }
    this.#y += width;
  }

  /** Draws a label at the left of the box and its value at the right. */
  pair(label: string, value: string, { x, width }: Box, style: Style = {}): void {
    const size = style.size ?? 9.5;
    const labelWidth = Math.min(this.#widthOf(label, size, style.weight ?? "regular") + gap, width * 0.6);
    this.row([
      () => this.text(label, { x, width: labelWidth }, { color: mutedInk, ...style }),
      () => this.text(value, { x: x + labelWidth, width: width - labelWidth, align: "right" }, style),
    ]);
  }

  party({ name, lines: rest }: Party, box: Box): void {
    this.text(name, box, { size: 11, weight: "bold" });
    for (const line of rest) this.text(line, box);
  }

  /** Draws cells that start at the same height. The tallest decides where the next row starts. */
  row(cells: readonly (() => void)[]): void {
    const start = { y: this.#y, page: this.#current };
    let end = { ...start };
    for (const cell of cells) {
      this.#goTo(start);
      cell();
      const here = { y: this.#y, page: this.#current };
      if (here.page > end.page || (here.page === end.page && here.y > end.y)) end = here;
    }
    this.#goTo(end);
  }

  line({ x, width }: Box = { x: pageGeometry.margin, width: contentWidth }): void {
    this.#y += 4;
    if (!this.#isMeasuring) {
      this.#doc
        .moveTo(x, this.#y)
        .lineTo(x + width, this.#y)
        .lineWidth(0.75)
        .stroke(rule);
    }
    this.#y += 5;
  }

  /** Keeps a block on one page: moves it to the next page if it does not fit on this one. */
  together(draw: () => void): void {
    if (this.needsPage(this.heightOf(draw))) this.addPage();
    draw();
  }

  heightOf(draw: () => void): number {
    const start = this.#y;
    this.#isMeasuring = true;
    draw();
    this.#isMeasuring = false;
    const height = this.#y - start;
    this.#y = start;
    return height;
  }

  /** Whether a block needs a new page. False on a fresh page, because it would fit no better on the next one. */
  needsPage(height: number): boolean {
    return this.#y > pageGeometry.margin && this.#y + height > bottom;
  }

  addPage(): void {
    const next = this.#current + 1;
    const { start, count } = this.#doc.bufferedPageRange();
    if (next < start + count) this.#doc.switchToPage(next);
    else this.#doc.addPage();
    this.#current = next;
    this.#y = pageGeometry.margin;
  }

  /** Numbers the pages and closes the file. */
  async finish({
    number,
    language,
  }: Pick<PdfMetadata, "number" | "language">): Promise<Uint8Array<ArrayBuffer>> {
    const text = textIn(language);
    const { count } = this.#doc.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#doc.switchToPage(index);
      this.#y = pageGeometry.height - 44;
      const box: Box = { x: pageGeometry.margin, width: contentWidth, align: "right" };
      const words = text("invoice.page", { number, page: index + 1, pages: count });
      this.#write(words, box, 8, "regular", mutedInk);
    }
    const ended = new Promise<void>((resolve, reject) => {
      this.#doc.once("end", resolve);
      this.#doc.once("error", reject);
    });
    this.#doc.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  #goTo(place: { y: number; page: number }): void {
    if (!this.#isMeasuring && place.page !== this.#current) this.#doc.switchToPage(place.page);
    this.#current = place.page;
    this.#y = place.y;
  }

  #write(text: string, { x, width, align = "left" }: Box, size: number, weight: Weight, color: string): void {
    let at = align === "right" ? x + width - this.#widthOf(text, size, weight) : x;
    // All runs share a baseline, because fonts differ in ascent.
    const baseline = this.#y + size * ascent;
    for (const run of runsOf(text)) {
      this.#use(run.font, weight, size).fillColor(color);
      const shaping = this.#shapingOf(run.text);
      this.#doc.actualText = indic.test(run.text) ? run.text : null;
      this.#doc.text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic", ...shaping });
      at += this.#doc.widthOfString(run.text, shaping);
    }
  }

  #use(font: string, weight: Weight, size: number): PDFKit.PDFDocument {
    const name = `${font} ${weight}`;
    if (!this.#fonts.has(name)) {
      this.#doc.registerFont(name, openedFont(font, weight));
      this.#fonts.add(name);
    }
    return this.#doc.font(name).fontSize(size);
  }

  /**
   * Returns the font features for a text. fontkit 2.0.4 throws at a mark for which its letter has no anchor
   * (foliojs/fontkit#367). Such text, in Punjabi, Gujarati and Malayalam, is set without mark positioning.
   */
  #shapingOf(text: string): PDFKit.Mixins.FeatureOptions {
    try {
      this.#doc.widthOfString(text);
      // Empty, because pdfkit measures each word again when any features are set.
      return {};
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return withoutMarks;
    }
  }

  #widthOf(text: string, size: number, weight: Weight): number {
    return runsOf(text).reduce((width, run) => {
      this.#use(run.font, weight, size);
      return width + this.#doc.widthOfString(run.text, this.#shapingOf(run.text));
    }, 0);
  }

  /** Wraps at spaces. A word longer than the line is split between letters. */
  #wrap(text: string, width: number, size: number, weight: Weight): string[] {
    const fits = (candidate: string) => this.#widthOf(candidate, size, weight) <= width;
    const wrapped: string[] = [];
    let line = "";
    for (const word of text.split(/\s+/).filter((part) => part !== "")) {
      const joined = line === "" ? word : `${line} ${word}`;
      if (fits(joined)) {
        line = joined;
        continue;
      }
      if (line !== "") wrapped.push(line);
      line = "";
      for (const { segment } of new Intl.Segmenter().segment(word)) {
        if (line !== "" && !fits(line + segment)) {
          wrapped.push(line);
          line = "";
        }
        line += segment;
      }
    }
    return line === "" ? wrapped : [...wrapped, line];
  }
}
