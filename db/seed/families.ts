/** The families that are sold: their ids in every type, in the order in which they are offered. */

export const familyRows = [{ id: "microsoft" }, { id: "google" }, { id: "brio" }] as const;
