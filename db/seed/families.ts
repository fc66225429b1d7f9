/** Families on sale: the source of the types, in display order. */

export const familyRows = [{ id: "microsoft" }, { id: "google" }, { id: "brio" }] as const;
