/** Quotes, and what approvers and payers are asked by link: on pages, on paper and in mails. */
export const quotes = {
  title: "Quote",
  number: "Quote number",
  date: "Date",
  quotedTo: "Quoted to",
  transferReference: "Reference for a transfer",
  accept: "To accept this quote, open:",
  qr: "QR code of this quote's link",
  holds: "The price holds until {date}. Any change of the order makes a new version of this quote.",
  notTaxInvoice: "This is not a tax invoice. The tax invoice follows when the payment has arrived.",
  pdf: "Quote as PDF",
  download: "Download as PDF",
  open: "Open the quote",
  openNumbered: "Open quote {number}",
  make: "Make a quote",
  makeNew: "Make a new quote",
  total: "Total",

  isOpen: "This quote holds until {date}. Accept it by placing the order.",
  isChanged:
    "The order was changed after this quote was made, so this quote no longer holds. Quote {number} took its place.",
  isBeingChanged:
    "The order was changed after this quote was made, so this quote no longer holds. The new one is being made: please open this page again in a minute.",
  openNewer: "Open the new quote",
  hasEnded: "This quote was valid until {date}. A new one is made at the prices of today.",
  isPaid: "This order is paid, so nothing is left to accept.",
  isOver: "This order can no longer be carried out, and its money was given back.",
  placeOrder: "Accept and place the order",
  openOrder: "Open the order",

  mailSubject: "Quote {number} for {name}",
  mailPreheader: "{total}, valid until {date}.",
  mailMade: "Your quote is ready. It comes to {total}, and the price holds until {date}.",
  mailChanged:
    "Your order was changed, so its quote has a new version. It comes to {total}, and the price holds until {date}. The earlier version no longer holds.",
  mailThen: "Accept it on its page, or send it from there to whoever approves or pays.",
} as const;
