/** Schemas of the forms about a company: members, invitations, approval, renewals. Server only. */
import { z } from "zod";
import { memberRoles } from "#server/accounts/roles.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import {
  detailsSchema,
  email,
  emailField,
  emailWrong,
  firstName,
  id,
  lastName,
  passwordMissing,
} from "./schemas.ts";

/** The approval page: emails a link to an administrator, or rechecks the domain's DNS record. */
export const approvalSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), email: emailField }),
  z.object({ intent: z.literal("look-up") }),
]);

const memberRole = z.enum(memberRoles, { error: schemaMessage("fields.role") });

/** An amount as typed, thousands separated or not, in minor units; null for an empty field. */
const amountOrNone = z
  .string()
  .optional()
  .transform((typed, context) => {
    const text = (typed ?? "").replace(/[,\s]/g, "");
    if (text === "") return null;
    const minor = parseMinor(text);
    if (minor === null) context.addIssue({ code: "custom", message: schemaMessage("rules.anAmount") });
    return minor;
  });

/** An owner's actions on the company's members, and its rules for orders. */
export const membersSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("invite"),
    email: email(schemaMessage("fields.anEmail"), emailWrong),
    role: memberRole,
  }),
  z.object({ intent: z.literal("withdraw"), invite: z.string().regex(id) }),
  z.object({ intent: z.literal("change-role"), member: z.string().regex(id), role: memberRole }),
  z.object({ intent: z.literal("remove"), member: z.string().regex(id) }),
  z.object({ intent: z.literal("require-second-factor") }),
  z.object({ intent: z.literal("leave-second-factor") }),
  z.object({
    intent: z.literal("rules"),
    approvalAbove: amountOrNone,
    includesOwners: z.literal("on").optional(),
  }),
  z.object({
    intent: z.literal("limits"),
    member: z.string().regex(id),
    perOrder: amountOrNone,
    perMonth: amountOrNone,
  }),
]);

const newMemberSchema = z.object({
  intent: z.literal("new"),
  firstName,
  lastName,
  password: z.string({ error: passwordMissing }).min(8, schemaMessage("fields.passwordLength")).max(1024),
});

/**
 * Answers an invitation with a new account, or with the signed-in one regardless of the other fields. Joining replaces the
 * session, so the second press of a double-click arrives without one and must not be read as a new account with missing fields.
 */
export function inviteAnswerSchema(by: "new" | "accept") {
  return by === "new"
    ? z.discriminatedUnion("intent", [newMemberSchema, z.object({ intent: z.literal("accept") })])
    : z.object({ intent: z.literal("accept").catch("accept") });
}

/** Cancelling licences: first the number, then the confirmed preview. */
export const cancellationSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("count"), seats: detailsSchema.shape.quantity }),
  z.object({
    intent: z.literal("confirm"),
    id: z.string().regex(id),
    give: z.string().regex(/^(all|[1-9]\d{0,8})$/),
    /** The shown refund, in minor units. */
    total: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
]);

/** A company's renewal calendar. */
export const renewalFeedSchema = z.object({
  intent: z.enum(["make", "end"]),
  amounts: z.literal("on").optional(),
});

export const renewalChoiceSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["keep", "stop", "undo"]) }),
  z.object({ intent: z.literal("fewer"), seats: detailsSchema.shape.quantity }),
]);
