/**
 * Draws an invoice, a credit note, a quote or a proforma as a PDF of A4 pages, from the same view as the page, with selectable
 * text. Shaping text is slow, above all the first letters of a script, so request handlers use pdf.ts.
 */

import { type Box, contentWidth, gap, ink, mutedInk, PdfPage, pageGeometry } from "./pdf-page.ts";
import type { PdfInput } from "./pdf-thread.ts";
import type { InvoiceView } from "./view.ts";

export function drawInvoice({ view, createdAt }: PdfInput<InvoiceView>): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = new PdfPage({ ...view, author: view.supplier.name }, createdAt);
  const half = (contentWidth - 24) / 2;
  const left: Box = { x: pageGeometry.margin, width: half };
  const right: Box = { x: pageGeometry.margin + half + 24, width: half };

  sheet.row([
    () => sheet.party(view.supplier, left),
    () => {
      sheet.text(view.title, { ...right, align: "right" }, { size: 20, weight: "bold" });
      sheet.text(view.number, { ...right, align: "right" }, { size: 11, weight: "bold", color: mutedInk });
    },
  ]);
  sheet.space(18);
  sheet.row([
    () => {
      sheet.text(view.billedTo, left, { color: mutedInk });
      sheet.party(view.recipient, left);
    },
    () => {
      for (const { label, value } of view.facts) sheet.pair(label, value, right);
    },
  ]);
  sheet.space(18);
  lines(sheet, view);
  totals(sheet, view);
  registration(sheet, view);
  closing(sheet, view);
  return sheet.finish(view);
}

function lines(sheet: PdfPage, view: InvoiceView): void {
  const { sac, licences, unitPrice, amount } = view.columns;
  const widths = [
    ...(sac === null ? [] : [56]),
    ...(licences === null ? [] : [58]),
    ...(unitPrice === null ? [] : [88]),
    96,
  ];
  const description: Box = {
    x: pageGeometry.margin,
    width: contentWidth - widths.reduce((a, b) => a + b + gap, 0),
  };
  let x = description.x + description.width + gap;
  const columns = widths.map((width): Box => {
    const box: Box = { x, width, align: "right" };
    x += width + gap;
    return box;
  });
  const head = [sac, licences, unitPrice, amount].filter((words) => words !== null);
  const heading = () => {
    sheet.row([
      () => sheet.text(view.columns.description, description, { color: mutedInk }),
      ...columns.map((box, index) => () => sheet.text(head[index] ?? "", box, { color: mutedInk })),
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
          for (const note of line.notes) sheet.text(note, description, { color: mutedInk });
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

function totals(sheet: PdfPage, view: InvoiceView): void {
  const width = 260;
  const box: Box = { x: pageGeometry.width - pageGeometry.margin - width, width };
  sheet.together(() => {
    sheet.space(4);
    for (const { label, value, strong } of view.totals) {
      if (strong) sheet.line(box);
      sheet.pair(label, value, box, strong ? { size: 12, weight: "bold", color: ink } : {});
    }
    if (view.words !== null) {
      sheet.space(10);
      sheet.text(view.words, { x: pageGeometry.margin, width: contentWidth });
    }
    for (const endorsement of view.endorsements) {
      sheet.space(10);
      sheet.text(endorsement, { x: pageGeometry.margin, width: contentWidth }, { weight: "bold" });
    }
  });
}

/** Points. A signed text makes a dense code, which a phone must still read from paper. */
const qrWidth = 144;

function registration(sheet: PdfPage, { registration: said }: InvoiceView): void {
  if (said === null) return;
  const { notice, facts, qr } = said;
  const words: Box = { x: pageGeometry.margin, width: contentWidth - qrWidth - gap };
  sheet.together(() => {
    sheet.space(18);
    sheet.row([
      () => {
        if (notice !== null) sheet.text(notice, words, { weight: "bold" });
        for (const { label, value } of facts) {
          sheet.text(label, words, { color: mutedInk });
          sheet.text(value, words);
        }
      },
      () => {
        if (qr !== null)
          sheet.drawing(qr.path, qr.size, {
            x: pageGeometry.width - pageGeometry.margin - qrWidth,
            width: qrWidth,
          });
      },
    ]);
  });
}

function closing(sheet: PdfPage, { signature, closing: last }: InvoiceView): void {
  const whole: Box = { x: pageGeometry.margin, width: contentWidth };
  sheet.together(() => {
    sheet.space(28);
    sheet.text(signature.company, { ...whole, align: "right" }, { weight: "bold" });
    sheet.text(signature.signatory, { ...whole, align: "right" });
    sheet.space(18);
    for (const line of last) sheet.text(line, whole, { color: mutedInk });
  });
}
