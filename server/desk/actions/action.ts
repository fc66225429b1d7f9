/**
 * What an act of staff is: who may do it, what it is about, what it asks, and what carries it out. Acts are data, so that the desk's
 * one form shows each of them, and a test tries every one at every door (tests/integration/desk/page-access.test.ts). Every act asks for a
 * reason and leaves an entry in the audit log, written in the transaction of what it does.
 */
import { z } from "zod";
import type { StaffId, StaffSessionId } from "#db/ids.ts";
import type { AuditContext } from "#server/foundation/audit.ts";
import type { Context } from "#server/platform/context.ts";
import type { Roles } from "../roles.ts";

/** What an act needs of the process: also the vendors, which know what staff only claim. */
export type ActionContext = Context;

/** A member of staff who acts, under their email, and why. */
export interface StaffActor extends AuditContext {
  staffId: StaffId;
  /** The session of the desk in which they act. */
  sessionId: StaffSessionId;
}

export interface ActionField {
  name: string;
  label: string;
  hint?: string;
  /** "amount": as 123.45; "choice": from a menu; "radio": from a few in sight; "hidden": the state that the form was shown for. */
  kind: "text" | "email" | "amount" | "choice" | "radio" | "hidden";
  /** What it is now, for a field that changes something. */
  value?: string;
  /** The answers of a choice or a radio. */
  options?: readonly { value: string; label: string; hint?: string }[];
  /** The value of the radio for which it is asked; left out for a field that is always asked. */
  onlyFor?: string;
  isOptional?: true;
}

/** The second look at an act whose effects nobody can undo, before anything is done. */
export interface ActionPreview {
  /** The words above the sum. */
  lead: string;
  /** The sum as shown, and as the button says it: "₹1,75,485". */
  sum: string;
  facts: readonly { label: string; value: string; note?: string }[];
  /** Everything else that the act does, a sentence each. */
  effects: readonly string[];
  /** A reason to think twice; null without one. */
  warning: string | null;
  button: string;
  /** The link that leaves without doing it. */
  dismiss: string;
  /** The fields that confirm exactly this: the act is shown again when they differ from what it would do by then. */
  confirms: { confirmed: string } & Readonly<Record<string, string>>;
}

export interface ActionOutcome {
  /** A sentence about what was done. */
  said: string;
  /** Shown once, to be handed on by the reader: a set-up link. */
  handOver?: { label: string; path: string };
  /** The token of a look at the store that was opened for its doer, who is led there. */
  storeView?: string;
}

/** A kind of thing that acts are about. */
export interface ActionSubject<Thing> {
  name: string;
  /** @param text from an address @throws DomainError not_found */
  find(context: ActionContext, text: string): Promise<Thing>;
  title(thing: Thing): string;
  /** Where it is looked at, before and after an act. */
  path(thing: Thing): string;
}

/** An act on one thing, ready to be shown and done. */
export interface AvailableAction {
  about: string;
  back: string;
  fields: readonly ActionField[];
  /** Why it cannot be done now, in a sentence; null when it can. */
  whyNot: string | null;
  /** Null for an act that is done at once. @throws DomainError as perform does */
  preview: ((value: Readonly<Record<string, unknown>>, reason: string) => Promise<ActionPreview>) | null;
  /** @throws DomainError as the act's own function does, in which case nothing has changed */
  perform(value: Readonly<Record<string, unknown>>, actor: StaffActor): Promise<ActionOutcome>;
}

export interface StaffAction {
  /** The button, and the page's heading. */
  label: string;
  /** What it does, in a sentence or two for whoever is about to do it. */
  explains: string;
  /** The name of its subject. */
  subject: string;
  roles: Roles;
  /** Money, prices and people: the second factor must have been shown within ten minutes. */
  needsStepUp: boolean;
  /** What the reason is called, and who reads it. */
  reason: { label: string; hint: string };
  /** What the form may send: the act's own fields, the reason, and what is shown again. */
  schema: z.ZodObject;
  open(context: ActionContext, subject: string): Promise<AvailableAction>;
  /** As an open act's hindrance, without what its form would show. */
  whyNot(context: ActionContext, subject: string): Promise<string | null>;
}

export const maxReasonLength = 500;
const staysInLog = { label: "Reason", hint: "Kept in the audit log." };

/** In every act's form. */
export const sharedFields = z.object({
  reason: z
    .string("Enter a reason.")
    .trim()
    .min(1, "Enter a reason.")
    .max(maxReasonLength, "Use 500 characters or fewer."),
  /** The second factor, when it is asked for again. */
  code: z.string().max(40).default(""),
  password: z.string().max(1024).default(""),
  /** The sum of the preview, for an act that has one; empty before it was shown. */
  confirmed: z.string().max(40).default(""),
});

/** For an act that asks for nothing but the reason. */
export const nothing = z.object({});

/** @param definition.hindrance why it cannot be done to this thing now; left out for what always can */
export function defineAction<Thing, Asks extends z.ZodObject>(definition: {
  label: string;
  explains: string;
  subject: ActionSubject<Thing>;
  roles: Roles;
  needsStepUp: boolean;
  reason?: StaffAction["reason"];
  /** Its own fields. */
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
