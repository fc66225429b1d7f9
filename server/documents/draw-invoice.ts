/**
 * Draws an invoice, a credit note, a quote or a proforma as a PDF of A4 pages, from the same view as the page, with text that can be
 * selected. Shaping letters takes a while, most of all the first ones of a script: what answers requests asks pdf.ts for it.
 */
import type { Drawing } from "./pdf-thread.ts";
import { type Box, gap, ink, inner, page, Sheet, soft } from "./sheet.ts";
import type { InvoiceView } from "./view.ts";

export function drawInvoice({ view, createdAt }: Drawing<InvoiceView>): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = new Sheet({ ...view, author: view.supplier.name }, createdAt);
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
  sheet.space(18);
  lines(sheet, view);
  totals(sheet, view);
  registration(sheet, view);
  closing(sheet, view);
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
