/** Draws a statement of account as a PDF, in the layout of the invoices. */

import {
  type Box,
  contentWidth,
  gap,
  ink,
  mutedInk,
  PdfPage,
  pageGeometry,
} from "#server/billing/documents/pdf-page.ts";
import type { PdfInput } from "#server/billing/documents/pdf-thread.ts";
import type { StatementSectionView, StatementView } from "./statement-view.ts";

/** Column widths in points; the description takes the rest. */
const widths = { date: 76, order: 86, charged: 68, settled: 68, balance: 72 };

export function drawStatement({
  view,
  createdAt,
}: PdfInput<StatementView>): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, number, supplier } = view;
  const sheet = new PdfPage({ language, title, number, author: supplier.name }, createdAt);
  const half = (contentWidth - 24) / 2;
  const left: Box = { x: pageGeometry.margin, width: half };
  const right: Box = { x: pageGeometry.margin + half + 24, width: half };
  sheet.row([
    () => sheet.party(supplier, left),
    () => sheet.text(title, { ...right, align: "right" }, { size: 20, weight: "bold" }),
  ]);
  sheet.space(18);
  sheet.row([
    () => {
      sheet.text(view.of.label, left, { color: mutedInk });
      sheet.party({ name: view.of.name, lines: [] }, left);
    },
    () => {
      for (const { label, value } of view.facts) sheet.pair(label, value, right);
    },
  ]);
  for (const section of view.sections) drawSection(sheet, view, section);
  sheet.space(18);
  sheet.text(view.note, { x: pageGeometry.margin, width: contentWidth }, { color: mutedInk });
  return sheet.finish(view);
}

function drawSection(sheet: PdfPage, view: StatementView, section: StatementSectionView): void {
  const { opening, lines, totals, means } = section;
  const heading = () => {
    sheet.row(cellsOf(sheet, view.columns, { color: mutedInk }));
    sheet.line();
  };
  sheet.space(18);
  heading();
  const whole: Box = { x: pageGeometry.margin, width: contentWidth };
  sheet.pair(opening.label, opening.value, whole, { weight: "bold", color: ink });
  sheet.line();
  for (const line of lines) {
    const draw = () => sheet.row(cellsOf(sheet, line, { size: 8.5 }));
    if (sheet.needsPage(sheet.heightOf(draw))) {
      sheet.addPage();
      heading();
    }
    draw();
    sheet.line();
  }
  const width = 300;
  const box: Box = { x: pageGeometry.width - pageGeometry.margin - width, width };
  sheet.together(() => {
    sheet.space(4);
    for (const { label, value, strong } of totals) {
      if (strong) sheet.line(box);
      sheet.pair(label, value, box, strong ? { size: 12, weight: "bold", color: ink } : {});
    }
    sheet.text(means, { ...box, align: "right" });
  });
}

/** Builds the cells of a row, each as a function that draws it. */
function cellsOf(
  sheet: PdfPage,
  cells: StatementView["columns"],
  style: { size?: number; color?: string },
): (() => void)[] {
  const fixed = Object.values(widths).reduce((sum, width) => sum + width + gap, 0);
  const what = contentWidth - fixed;
  let x = pageGeometry.margin;
  const next = (width: number, align: "left" | "right" = "left"): Box => {
    const box: Box = { x, width, align };
    x += width + gap;
    return box;
  };
  const placed: [string, Box][] = [
    [cells.date, next(widths.date)],
    [cells.what, next(what)],
    [cells.order, next(widths.order)],
    [cells.charged, next(widths.charged, "right")],
    [cells.settled, next(widths.settled, "right")],
    [cells.balance, next(widths.balance, "right")],
  ];
  return placed.map(
    ([text, box]) =>
      () =>
        sheet.text(text, box, style),
  );
}
