/** The invoice, on the page and as PDF. */
export const invoice = {} as const;
