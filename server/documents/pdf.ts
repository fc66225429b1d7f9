/** Renders an invoice or a credit note as a PDF of A4 pages, from the same view as the page, with text that can be selected. */
import { setImmediate as othersTurn } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { textIn } from "#server/languages/text.ts";
import { openedFont, runsOf, type Weight } from "./fonts.ts";
import type { InvoiceView, Party } from "./view.ts";

/** Points, 72 to an inch. */
const page = { width: 595.28, height: 841.89, margin: 48 };
const bottom = page.height - 76;
const inner = page.width - 2 * page.margin;
const lineHeight = 1.4;
/** From a line's top to its baseline, as a multiple of the font size. */
const ascent = 1.07;
const gap = 8;
/** The font features that place marks above and below letters, switched off. */
const withoutMarks = { features: { mark: false, mkmk: false, abvm: false, blwm: false } };
/** Letters of these scripts are drawn in another order than they are read in, so the text to copy and search is kept beside them. */
const indic = /[\u0900-\u0d7f]/;
const ink = "#1e2a32";
const soft = "#55636d";
const rule = "#b9c0c4";

interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
}
interface Box {
  x: number;
  width: number;
  align?: "left" | "right";
}

/**
 * Other requests have their turn between the parts, because shaping letters takes a while, most of all the first ones of a script.
 * @param createdAt written into the file: the same view and date give the same bytes
 */
export async function invoicePdf(view: InvoiceView, createdAt: Date): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = new Sheet(view, createdAt);
  const half = (inner - 24) / 2;
  const left: Box = { x: page.margin, width: half };
  const right: Box = { x: page.margin + half + 24, width: half };

  sheet.row([
    () => sheet.party(view.supplier, left),
    () => {
      sheet.text(view.title, { ...right, align: "right" }, { size: 20, weight: "bold" });
      sheet.text(view.number, { ...right, align: "right" }, { size: 11, weight: "bold", color: soft });
    },
  ]);
  await othersTurn();
  sheet.space(18);
  sheet.row([
    () => {
      sheet.text(view.billedTo, left, { color: soft });
      sheet.party(view.recipient, left);
    },
    () => {
      for (const { label, value } of view.facts) sheet.pair(label, value, right);
    },
  ]);
  await othersTurn();
  sheet.space(18);
  lines(sheet, view);
  await othersTurn();
  totals(sheet, view);
  await othersTurn();
  registration(sheet, view);
  await othersTurn();
  closing(sheet, view);
  await othersTurn();
  return sheet.finish(view);
}

function lines(sheet: Sheet, view: InvoiceView): void {
  const { sac, licences, unitPrice, amount } = view.columns;
  const widths = [
    ...(sac === null ? [] : [56]),
    ...(licences === null ? [] : [58]),
    ...(unitPrice === null ? [] : [88]),
    96,
  ];
  const description: Box = { x: page.margin, width: inner - widths.reduce((a, b) => a + b + gap, 0) };
  let x = description.x + description.width + gap;
  const columns = widths.map((width): Box => {
    const box: Box = { x, width, align: "right" };
    x += width + gap;
    return box;
  });
  const head = [sac, licences, unitPrice, amount].filter((words) => words !== null);
  const heading = () => {
    sheet.row([
      () => sheet.text(view.columns.description, description, { color: soft }),
      ...columns.map((box, index) => () => sheet.text(head[index] ?? "", box, { color: soft })),
    ]);
    sheet.line();
  };
  heading();
  for (const line of view.lines) {
    const cells = [
      ...(line.sac === null ? [] : [line.sac]),
      ...(licences === null ? [] : [line.quantity]),
      ...(unitPrice === null ? [] : [line.unitPrice]),
      line.amount,
    ];
    const draw = () =>
      sheet.row([
        () => {
          sheet.text(line.description, description, { weight: "bold" });
          for (const note of line.notes) sheet.text(note, description, { color: soft });
        },
        ...columns.map((box, index) => () => sheet.text(cells[index] ?? "", box)),
      ]);
    if (sheet.needsPage(sheet.heightOf(draw))) {
      sheet.addPage();
      heading();
    }
    draw();
    sheet.line();
  }
}

function totals(sheet: Sheet, view: InvoiceView): void {
  const width = 260;
  const box: Box = { x: page.width - page.margin - width, width };
  sheet.together(() => {
    sheet.space(4);
    for (const { label, value, strong } of view.totals) {
      if (strong) sheet.line(box);
      sheet.pair(label, value, box, strong ? { size: 12, weight: "bold", color: ink } : {});
    }
    if (view.words !== null) {
      sheet.space(10);
      sheet.text(view.words, { x: page.margin, width: inner });
    }
    for (const endorsement of view.endorsements) {
      sheet.space(10);
      sheet.text(endorsement, { x: page.margin, width: inner }, { weight: "bold" });
    }
  });
}

/** Points: a signed text makes small squares, which a phone still has to read from paper. */
const qrWidth = 144;

function registration(sheet: Sheet, { registration: said }: InvoiceView): void {
  if (said === null) return;
  const { notice, facts, qr } = said;
  const words: Box = { x: page.margin, width: inner - qrWidth - gap };
  sheet.together(() => {
    sheet.space(18);
    sheet.row([
      () => {
        if (notice !== null) sheet.text(notice, words, { weight: "bold" });
        for (const { label, value } of facts) {
          sheet.text(label, words, { color: soft });
          sheet.text(value, words);
        }
      },
      () => {
        if (qr !== null)
          sheet.drawing(qr.path, qr.size, { x: page.width - page.margin - qrWidth, width: qrWidth });
      },
    ]);
  });
}

function closing(sheet: Sheet, { signature, closing: last }: InvoiceView): void {
  const whole: Box = { x: page.margin, width: inner };
  sheet.together(() => {
    sheet.space(28);
    sheet.text(signature.company, { ...whole, align: "right" }, { weight: "bold" });
    sheet.text(signature.signatory, { ...whole, align: "right" });
    sheet.space(18);
    for (const line of last) sheet.text(line, whole, { color: soft });
  });
}

/**
 * Says for which text the letters stand. pdfkit would say it around the text object, where some readers misplace it, and not
 * inside of it.
 */
class Document extends PDFDocument {
  /** Of the text written next; null where it can be read from the letters. */
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
class Sheet {
  readonly #doc: Document;
  readonly #chunks: Buffer[] = [];
  readonly #fonts = new Set<string>();
  #y = page.margin;
  /** From 0. */
  #current = 0;
  #isMeasuring = false;

  constructor({ title, number, supplier, language }: InvoiceView, createdAt: Date) {
    this.#doc = new Document({
      size: [page.width, page.height],
      // The sheet handles margins itself, because pdfkit would start pages on its own.
      margin: 0,
      bufferPages: true,
      lang: language,
      displayTitle: true,
      info: {
        Title: `${title} ${number}`,
        Author: supplier.name,
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

  /** A path of so many units wide and high, as wide as the box. */
  drawing(path: string, units: number, { x, width }: Box): void {
    if (!this.#isMeasuring) {
      this.#doc.save();
      this.#doc.translate(x, this.#y).scale(width / units);
      this.#doc.path(path).fill("#000000");
      this.#doc.restore();
    }
    this.#y += width;
  }

  /** A label at the left of the box and its value at the right. */
  pair(label: string, value: string, { x, width }: Box, style: Style = {}): void {
    const size = style.size ?? 9.5;
    const labelWidth = Math.min(this.#widthOf(label, size, style.weight ?? "regular") + gap, width * 0.6);
    this.row([
      () => this.text(label, { x, width: labelWidth }, { color: soft, ...style }),
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

  line({ x, width }: Box = { x: page.margin, width: inner }): void {
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

  /** Keeps a block on one page: on the next page if it does not fit on this one. */
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

  /** False on a fresh page: content that does not fit there fits nowhere better. */
  needsPage(height: number): boolean {
    return this.#y > page.margin && this.#y + height > bottom;
  }

  addPage(): void {
    const next = this.#current + 1;
    const { start, count } = this.#doc.bufferedPageRange();
    if (next < start + count) this.#doc.switchToPage(next);
    else this.#doc.addPage();
    this.#current = next;
    this.#y = page.margin;
  }

  /** Numbers the pages and closes the file. */
  async finish({ number, language }: InvoiceView): Promise<Uint8Array<ArrayBuffer>> {
    const text = textIn(language);
    const { count } = this.#doc.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#doc.switchToPage(index);
      this.#y = page.height - 44;
      const box: Box = { x: page.margin, width: inner, align: "right" };
      const words = text("invoice.page", { number, page: index + 1, pages: count });
      this.#write(words, box, 8, "regular", soft);
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
   * fontkit 2.0.4 throws at a mark for which its letter has no anchor (foliojs/fontkit#367). Such text, in Punjabi,
   * Gujarati and Malayalam, is set without mark positioning.
   */
  #shapingOf(text: string): PDFKit.Mixins.FeatureOptions {
    try {
      this.#doc.widthOfString(text);
      // Empty, because with any features set pdfkit measures each word again.
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
