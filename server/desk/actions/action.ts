/**
 * Contract of a staff action: the roles that may perform it, its subject, its fields, and the function that performs it. Actions
 * are data, so that Desk's one form renders each of them, and a test tries every one with every role
 * (tests/integration/desk/page-access.test.ts). Every action asks for a reason and writes an entry in the audit log, in the
 * transaction of its change.
 */
import { z } from "zod";
import type { StaffId, StaffSessionId } from "#db/ids.ts";
import type { AuditContext } from "#server/foundation/audit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Roles } from "../roles.ts";

/** Dependencies of an action, including the vendors, against which staff's input is checked. */
export type ActionContext = Context;

/** A member of staff who acts, under their email, with a reason. */
export interface StaffActor extends AuditContext {
  staffId: StaffId;
  /** Desk session in which they act. */
  sessionId: StaffSessionId;
}

export interface ActionField {
  name: string;
  label: string;
  hint?: string;
  /** "amount": such as 123.45; "choice": a menu; "radio": visible options; "hidden": the state for which the form was shown. */
  kind: "text" | "email" | "amount" | "choice" | "radio" | "hidden";
  /** Present value, for a field that changes something. */
  value?: string;
  /** Options of a choice or a radio. */
  options?: readonly { value: string; label: string; hint?: string }[];
  /** Value of the radio for which the field is shown; left out for a field that is always shown. */
  onlyFor?: string;
  isOptional?: true;
}

/** Preview of an irreversible action, shown before anything is done. */
export interface ActionPreview {
  /** Text above the sum. */
  lead: string;
  /** Formatted sum, also in the button's label: "₹1,75,485". */
  sum: string;
  facts: readonly { label: string; value: string; note?: string }[];
  /** All other effects of the action, one sentence each. */
  effects: readonly string[];
  /** Reason to reconsider; null without one. */
  warning: string | null;
  button: string;
  /** Label of the link that leaves without performing it. */
  dismiss: string;
  /** Fields that confirm exactly this preview. The action is shown again when they differ from what it would do by then. */
  confirms: { confirmed: string } & Readonly<Record<string, string>>;
}

export interface ActionOutcome {
  /** Sentence that reports the result. */
  said: string;
  /** Shown once, for the reader to pass on: a set-up link. */
  handOver?: { label: string; path: string };
  /** Token of the impersonation that was started; the member of staff is redirected there. */
  storeView?: string;
}

/** Kind of thing that an action changes. */
export interface ActionSubject<Thing> {
  name: string;
  /** @param text from an address @throws DomainError not_found */
  find(context: ActionContext, text: string): Promise<Thing>;
  title(thing: Thing): string;
  /** Page of the subject, where an action begins and ends. */
  path(thing: Thing): string;
}

/** Action on one subject, ready to be shown and performed. */
export interface AvailableAction {
  about: string;
  back: string;
  fields: readonly ActionField[];
  /** Reason why it cannot be performed now, as a sentence; null when it can. */
  whyNot: string | null;
  /** Null for an action without a preview. @throws DomainError as perform does */
  preview: ((value: Readonly<Record<string, unknown>>, reason: string) => Promise<ActionPreview>) | null;
  /** @throws DomainError as the action's own function does, in which case nothing has changed */
  perform(value: Readonly<Record<string, unknown>>, actor: StaffActor): Promise<ActionOutcome>;
}

export interface StaffAction {
  /** Label of the button, and heading of the page. */
  label: string;
  /** Explains the action in a sentence or two to the member of staff who is about to perform it. */
  explains: string;
  /** Name of its subject. */
  subject: string;
  roles: Roles;
  /** Whether the second factor must have been shown within ten minutes: for money, prices and people. */
  needsStepUp: boolean;
  /** Label of the reason, and a hint about its readers. */
  reason: { label: string; hint: string };
  /** Input of the form: the action's own fields, the reason, and the fields that the preview sends again. */
  schema: z.ZodObject;
  open(context: ActionContext, subject: string): Promise<AvailableAction>;
  /** Returns `whyNot` as `open` does, without preparing the form. */
  whyNot(context: ActionContext, subject: string): Promise<string | null>;
}

export const maxReasonLength = 500;
const staysInLog = { label: "Reason", hint: "Kept in the audit log." };

/** Fields of every action's form. */
export const sharedFields = z.object({
  reason: z
    .string("Enter a reason.")
    .trim()
    .min(1, "Enter a reason.")
    .max(maxReasonLength, "Use 500 characters or fewer."),
  /** Second factor, when it is asked for again. */
  code: z.string().max(40).default(""),
  password: z.string().max(1024).default(""),
  /** Sum of the preview, for an action that has one; empty before the preview was shown. */
  confirmed: z.string().max(40).default(""),
});

/** Schema of an action that asks only for the reason. */
export const nothing = z.object({});

/** @param definition.hindrance returns why it cannot be performed on this subject now; left out for an action that always can */
export function defineAction<Thing, Asks extends z.ZodObject>(definition: {
  label: string;
  explains: string;
  subject: ActionSubject<Thing>;
  roles: Roles;
  needsStepUp: boolean;
  reason?: StaffAction["reason"];
  /** The action's own fields. */
  asks: Asks;
  fields?: (thing: Thing, context: ActionContext) => Promise<readonly ActionField[]> | readonly ActionField[];
  whyNot?: (thing: Thing, context: ActionContext) => Promise<string | null> | string | null;
  preview?: (
    context: ActionContext,
    thing: Thing,
    value: z.output<Asks>,
    reason: string,
  ) => Promise<ActionPreview>;
  perform: (
    context: ActionContext,
    thing: Thing,
    value: z.output<Asks>,
    actor: StaffActor,
  ) => Promise<ActionOutcome>;
}): StaffAction {
  const { label, explains, subject, roles, needsStepUp, reason = staysInLog, asks, preview } = definition;
  return {
    label,
    explains,
    subject: subject.name,
    roles,
    needsStepUp,
    reason,
    schema: sharedFields.extend(asks.shape),
    async whyNot(context, text) {
      return (await definition.whyNot?.(await subject.find(context, text), context)) ?? null;
    },
    async open(context, text) {
      const thing = await subject.find(context, text);
      return {
        about: subject.title(thing),
        back: subject.path(thing),
        fields: (await definition.fields?.(thing, context)) ?? [],
        whyNot: (await definition.whyNot?.(thing, context)) ?? null,
        preview:
          preview === undefined ? null : (value, why) => preview(context, thing, asks.parse(value), why),
        perform: (value, actor) => definition.perform(context, thing, asks.parse(value), actor),
      };
    },
  };
}
