/** The credit note of a refund, or of a corrected invoice, on the page and as PDF. Its other words are the invoice's. */
export const creditNote = {
  title: "Credit Note",
  number: "Credit note number",
  date: "Credit note date",
  invoiceNumber: "Original invoice",
  invoiceDate: "Original invoice date",
  reason: "Reason",
  billedTo: "Credited to",
  total: "Total credited ({currency})",
  noSignature: "This is a computer-generated credit note and is valid without a written signature.",
} as const;
