/** The forms of the company's page, by intent. Server only. */
import { z } from "zod";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { emailField, required } from "../../forms/schemas.ts";
import { uuid } from "../../params.ts";

const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most, schemaMessage("fields.tooManyCharacters", { count: most }))
    .optional()
    .transform((text) => text || null);

const ticked = z
  .literal("on")
  .optional()
  .transform((tick) => tick === "on");

export const companySchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("name"), name: required("company.legalName") }),
  z.object({ intent: z.literal("make-default"), place: uuid }),
  z.object({ intent: z.literal("remove"), place: uuid }),
  z.object({
    intent: z.literal("add-contact"),
    email: emailField,
    getsInvoices: ticked,
    getsProformas: ticked,
  }),
  z.object({ intent: z.literal("remove-contact"), contact: uuid }),
  z.object({
    intent: z.literal("tax"),
    deductorNumber: optional(20).transform((text) => text?.replaceAll(/\s/g, "").toUpperCase() ?? null),
    section: optional(20),
    /** Rate in hundredths of a percent; left out when nothing is withheld. */
    rateBasisPoints: z
      .string()
      .regex(/^\d{1,4}$/, schemaMessage("company.unknownRate"))
      .optional()
      .transform((rate) => (rate === undefined ? null : Number(rate))),
  }),
]);
