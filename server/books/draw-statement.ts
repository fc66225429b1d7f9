/** Draws a statement of account as a PDF, on the paper of the invoices. */
import type { Drawing } from "#server/documents/pdf-thread.ts";
import { type Box, gap, ink, inner, page, Sheet, soft } from "#server/documents/sheet.ts";
import type { StatementSectionView, StatementView } from "./statement-view.ts";

/** Points: date, order, charged, settled, balance; what a line is about has the rest. */
const widths = { date: 76, order: 86, charged: 68, settled: 68, balance: 72 };

export function drawStatement({ view, createdAt }: Drawing<StatementView>): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, number, supplier } = view;
  const sheet = new Sheet({ language, title, number, author: supplier.name }, createdAt);
  const half = (inner - 24) / 2;
  const left: Box = { x: page.margin, width: half };
  const right: Box = { x: page.margin + half + 24, width: half };
  sheet.row([
    () => sheet.party(supplier, left),
    () => sheet.text(title, { ...right, align: "right" }, { size: 20, weight: "bold" }),
  ]);
  sheet.space(18);
  sheet.row([
    () => {
      sheet.text(view.of.label, left, { color: soft });
      sheet.party({ name: view.of.name, lines: [] }, left);
    },
    () => {
      for (const { label, value } of view.facts) sheet.pair(label, value, right);
    },
  ]);
  for (const section of view.sections) drawSection(sheet, view, section);
  sheet.space(18);
  sheet.text(view.note, { x: page.margin, width: inner }, { color: soft });
  return sheet.finish(view);
}

function drawSection(sheet: Sheet, view: StatementView, section: StatementSectionView): void {
  const { opening, lines, totals, means } = section;
  const heading = () => {
    sheet.row(cellsOf(sheet, view.columns, { color: soft }));
    sheet.line();
  };
  sheet.space(18);
  heading();
  const whole: Box = { x: page.margin, width: inner };
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
  const box: Box = { x: page.width - page.margin - width, width };
  sheet.together(() => {
    sheet.space(4);
    for (const { label, value, strong } of totals) {
      if (strong) sheet.line(box);
      sheet.pair(label, value, box, strong ? { size: 12, weight: "bold", color: ink } : {});
    }
    sheet.text(means, { ...box, align: "right" });
  });
}

/** The cells of a row, each of which draws itself. */
function cellsOf(
  sheet: Sheet,
  cells: StatementView["columns"],
  style: { size?: number; color?: string },
): (() => void)[] {
  const fixed = Object.values(widths).reduce((sum, width) => sum + width + gap, 0);
  const what = inner - fixed;
  let x = page.margin;
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
