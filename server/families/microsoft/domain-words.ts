/** What a buyer is told about a tenant's name, by its field's look-up and by the post (docs/specification.md, section 5). */
export const prefixTaken = "domain is not available";
