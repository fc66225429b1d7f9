/** The PDF of a statement contains every line, and drawing it leaves the event loop free for other requests. */
import { expect, test } from "vitest";
import { maxStatementLines, statementPdf } from "#server/billing/books/statement-pdf.ts";
import type { StatementView } from "#server/billing/books/statement-view.ts";
import { turnsDuring } from "#tests/support/event-loop.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";

const view: StatementView = {
  language: "en",
  title: "Statement of account",
  number: "1 Apr 2026 to 31 Mar 2027",
  fileName: "statement-2026-04-01-2027-03-31.pdf",
  supplier: { name: "Hubs", lines: ["1 Residency Road", "Bengaluru"] },
  of: { label: "Account", name: "Acme Tools" },
  facts: [{ label: "Created on", value: "27 Nov 2026" }],
  columns: {
    date: "Date",
    what: "What",
    order: "Order",
    charged: "Charged",
    settled: "Settled",
    balance: "Balance",
  },
  sections: [
    {
      label: "INR",
      opening: { label: "Opening balance", value: "₹0.00" },
      lines: Array.from({ length: maxStatementLines }, (_, index) => ({
        id: String(index),
        date: "27 Nov 2026",
        what: `Invoice IN/26-27/${String(index).padStart(6, "0")}`,
        order: "ORD-000001",
        charged: "₹1,932.00",
        settled: "",
        balance: "₹1,932.00",
      })),
      totals: [{ label: "Closing balance", value: "₹1,932.00", strong: true }],
      means: "You owe this.",
    },
  ],
  note: "Amounts are as invoiced.",
};

test("draws the longest statement completely without blocking other requests", async () => {
  let file = new Uint8Array();
  const turns = await turnsDuring(async () => {
    file = await statementPdf(view, new Date("2026-11-27T09:00:00Z"));
  });
  expect(turns).toBeGreaterThan(50);
  const pages = await pdfPages(file);
  const said = pages.join(" ");
  for (const { what } of view.sections.flatMap(({ lines }) => lines)) expect(said).toContain(what);
  expect(pages.filter((page) => !page.includes("Balance"))).toEqual([]);
});
