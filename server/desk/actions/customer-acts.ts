/** Actions on a company: a note, an impersonation of one of its users, and the import of a tenant. */
import { z } from "zod";
import { type CompanyPerson, listPeople } from "#db/desk/customer-details.ts";
import { type CustomerId, parseId, type UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { endSessionsByStaff, lockAccount, unlockAccount } from "#server/accounts/locks.ts";
import { listMembers } from "#server/accounts/members.ts";
import { type FactorOwner, hasSecondFactor, removeSecondFactor } from "#server/accounts/second-factor.ts";
import { families, familiesWithTenants, isFamilyId } from "#server/catalogue/families/registry.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { isDay } from "#server/orders/subscriptions/dates.ts";
import { impersonationRoles, startImpersonation } from "../impersonation.ts";
import { editorRoles, moneyRoles } from "../roles.ts";
import { bringSubscription, plansBroughtAlong } from "../subscription-import.ts";
import { linkTenant } from "../tenant-import.ts";
import { defineAction, nothing, type StaffActor } from "./action.ts";
import { customerSubject } from "./subjects.ts";

export const addCustomerNoteAction = defineAction({
  label: "Add note",
  explains: "Adds a note to the company page. Customers can't see it.",
  subject: customerSubject,
  roles: editorRoles,
  needsStepUp: false,
  reason: { label: "Note", hint: "Staff read it on the company's page. It cannot be changed later." },
  asks: nothing,
  async perform({ db }, { id }, _value, { staffId, by, reason }) {
    await recordAudit(db, {
      userId: null,
      staffId,
      action: "customer.note",
      subject: `customer:${id}`,
      data: { reason, by },
    });
    return { said: "Note added." };
  },
});

export const impersonateAction = defineAction({
  label: "View store as customer",
  explains:
    "Opens a read-only view of the store as a member of the company sees it, for 60 minutes. We email them about it.",
  subject: customerSubject,
  roles: impersonationRoles,
  needsStepUp: true,
  reason: { label: "Reason", hint: "Included in the email to the customer and kept in the audit log." },
  asks: z.object({ person: z.string("Choose a member.").min(1, "Choose a member.") }),
  fields: async ({ id }, { db }) => [
    {
      name: "person",
      label: "View as",
      kind: "choice",
      options: (await listMembers(db, id)).map(({ userId, name, email, role }) => ({
        value: userId,
        label: `${name}, ${email}, ${role}`,
      })),
    },
  ],
  whyNot: async ({ id }, { db }) =>
    (await listMembers(db, id)).length > 0 ? null : "This company has no members.",
  async perform({ db }, { id }, { person }, actor) {
    const userId = parseId<UserId>(person);
    if (userId === null) throw wrongField("person", "Choose a member.");
    const storeView = await startImpersonation(db, { customerId: id, userId }, actor);
    return { said: "You're now viewing the store as the customer.", storeView };
  },
});

/** Defines an action on the account of a company's member; the member gets an email. */
function accountAct(definition: {
  label: string;
  explains: string;
  /** Message when no member can be chosen. */
  nobody: string;
  /** Whether a member can be chosen. */
  among: (person: CompanyPerson, db: Db) => boolean | Promise<boolean>;
  perform: (trx: Trx, owner: FactorOwner, actor: StaffActor) => Promise<void>;
  said: (email: string) => string;
}) {
  const { label, explains, among } = definition;
  const people = async (db: Db, customerId: CustomerId) => {
    const all = await listPeople(db, customerId);
    const fit = await Promise.all(all.map((person) => among(person, db)));
    return all.filter((_person, index) => fit[index]);
  };
  return defineAction({
    label,
    explains,
    subject: customerSubject,
    roles: editorRoles,
    needsStepUp: true,
    reason: { label: "Reason", hint: "How you verified who is asking. Kept in the audit log." },
    asks: z.object({ person: z.string("Choose a member.").min(1, "Choose a member.") }),
    fields: async ({ id }, { db }) => [
      {
        name: "person",
        label: "Member",
        kind: "choice",
        options: (await people(db, id)).map(({ userId, name, email }) => ({
          value: userId,
          label: `${name}, ${email}`,
        })),
      },
    ],
    whyNot: async ({ id }, { db }) => ((await people(db, id)).length > 0 ? null : definition.nobody),
    async perform({ db }, { id }, { person }, actor) {
      const owner = (await people(db, id)).find(({ userId }) => userId === person);
      if (owner === undefined) throw wrongField("person", "Choose a member.");
      await db.transaction().execute((trx) => definition.perform(trx, owner, actor));
      return { said: definition.said(owner.email) };
    },
  });
}

export const removeSecondFactorAction = accountAct({
  label: "Remove two-step sign-in",
  explains:
    "For a member who has lost both their phone and recovery codes. They'll then need only their password, all their sessions end, and we email them. Verify who is asking: call the number on the company page.",
  nobody: "No members of this company use two-step sign-in.",
  among: ({ userId }, db) => hasSecondFactor(db, userId),
  perform: removeSecondFactor,
  said: (email) => `Two-step sign-in of ${email} is removed.`,
});

export const endCustomerSessionsAct = accountAct({
  label: "End a person's sessions",
  explains: "Signs a person of the company out everywhere, at once. They can sign in again. We email them.",
  nobody: "This company has no members.",
  among: () => true,
  perform: endSessionsByStaff,
  said: (email) => `${email} is signed out everywhere.`,
});

export const lockAccountAct = accountAct({
  label: "Lock a person's account",
  explains:
    "For a person whose account someone else has got into. Ends their sessions, and nobody can sign in until you unlock the account: not by password, passkey, provider or link, and a new password doesn't unlock it. Their company, colleagues and orders aren't affected. We email them.",
  nobody: "This company has no unlocked accounts.",
  among: ({ isLocked }) => !isLocked,
  perform: lockAccount,
  said: (email) => `The account of ${email} is locked.`,
});

export const unlockAccountAct = accountAct({
  label: "Unlock a person's account",
  explains:
    "The person can sign in again as before. Be sure first that their mailbox is theirs again: anyone who reads it can choose a new password. We email them.",
  nobody: "This company has no locked accounts.",
  among: ({ isLocked }) => isLocked,
  perform: unlockAccount,
  said: (email) => `The account of ${email} is unlocked.`,
});

export const linkTenantAction = defineAction({
  label: "Link a tenant",
  explains:
    "Links a customer's existing vendor account to their company here, so they can add licenses and renew in this store. We import its subscriptions from the vendor within minutes.",
  subject: customerSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Evidence you saw",
    hint: "For example the reseller contract or the customer's email. Kept with the tenant and in the audit log.",
  },
  asks: z.object({
    family: z.string("Choose a vendor.").refine(isFamilyId, "Choose a vendor."),
    domain: z.string("Enter a domain.").trim().min(1, "Enter a domain.").max(253),
    tenant: z.string().trim().max(100).default(""),
    reference: z
      .string("Enter a reference.")
      .trim()
      .min(1, "Enter a reference.")
      .max(200, "Use 200 characters or fewer."),
  }),
  fields: () => [
    {
      name: "family",
      label: "Vendor",
      kind: "choice",
      options: familiesWithTenants.map((id) => ({ value: id, label: families[id].name })),
    },
    { name: "domain", label: "Domain", hint: "As shown at the vendor, such as acme.com.", kind: "text" },
    {
      name: "tenant",
      label: "Vendor ID",
      hint: "For example the tenant ID. We check it against the vendor's record for the domain.",
      kind: "text",
      isOptional: true,
    },
    {
      name: "reference",
      label: "Reference",
      hint: "Where the evidence is kept, such as a contract's number.",
      kind: "text",
    },
  ],
  async perform(context, { id }, { family, domain, tenant, reference }, { staffId, by, reason }) {
    const bound = await linkTenant(
      context,
      { customerId: id, family, domain, externalId: tenant, evidence: reason, reference },
      { staffId, by },
    );
    return { said: `${bound.domain} linked. We're importing its subscriptions.` };
  },
});

const domainName = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i;

export const importSubscriptionAction = defineAction({
  label: "Import a subscription",
  explains:
    "Records a subscription to a product that has no vendor, so the customer can add licenses and renew in this store. Nothing is charged.",
  subject: customerSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Evidence you saw",
    hint: "Such as the last invoice of the old system. It stays in the audit log.",
  },
  asks: z.object({
    plan: z.string("Choose a plan.").min(1, "Choose a plan.").max(100),
    seats: z
      .string("Enter a number.")
      .trim()
      .regex(/^[1-9]\d{0,4}$/, "Enter a number from 1."),
    term: z.enum(["P1Y", "P1M"], "Choose a term."),
    endsOn: z.string().refine(isDay, "Enter a date such as 2027-03-31."),
    domain: z
      .string("Enter a domain.")
      .trim()
      .max(253)
      .regex(domainName, "Enter a full domain, such as acme.com."),
    reference: z
      .string("Enter a reference.")
      .trim()
      .min(1, "Enter a reference.")
      .max(200, "Use 200 characters or fewer."),
  }),
  fields: async (_customer, { db }) => [
    {
      name: "plan",
      label: "Plan",
      kind: "choice",
      options: (await plansBroughtAlong(db)).map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: "seats", label: "Licenses", kind: "text" },
    {
      name: "term",
      label: "Term",
      kind: "choice",
      options: [
        { value: "P1Y", label: "A year" },
        { value: "P1M", label: "A month" },
      ],
    },
    {
      name: "endsOn",
      label: "Ends on",
      hint: "The last paid day, such as 2027-03-31.",
      kind: "text",
    },
    {
      name: "domain",
      label: "Domain",
      hint: "The domain the customer uses, such as acme.com.",
      kind: "text",
    },
    {
      name: "reference",
      label: "Reference",
      hint: "Where the evidence is kept, such as an invoice's number.",
      kind: "text",
    },
  ],
  async perform({ db }, { id }, { seats, ...value }, actor) {
    const brought = { customerId: id, seats: Number(seats), ...value };
    const { name } = await bringSubscription(db, brought, actor);
    return { said: `${name} imported.` };
  },
});
