/** What a buyer is told about a Google domain, by its field's look-up and by the post (docs/specification.md, section 5). */
export const domainTaken = "This domain is not available for signup. Please choose a different domain.";
export const domainTransferable =
  "This domain is already registered and can be transferred to us with a transfer token.";
