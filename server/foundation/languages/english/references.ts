/** Changing what the buyer's own books call an order, after its review or on a page of its own. Its fields are in the review's room. */
export const references = {
  title: "For your accounting",
  edit: "Purchase order number and cost centre",
  until: "You can change this until the invoice is issued, which is when the order is paid.",
  beforeInvoice: "The invoice for this order hasn't been issued yet, so you can still change this.",
  onProforma: "A proforma invoice you already have won't change.",
  save: "Save",
  saved: "Saved. The invoice will show it.",
  invoiced:
    "The invoice for this order has been issued, so you can't change this here. Correct the invoice instead.",
  back: "Back to the order",
} as const;
