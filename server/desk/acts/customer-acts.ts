/** Acts on a company: a note, a look at the store as one of its people, and a tenant that it brings along. */
import { z } from "zod";
import { type CustomerId, parseId, type UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import { listMembers, type Member } from "#server/accounts/members.ts";
import { hasSecondFactor, removeSecondFactor } from "#server/accounts/second-factor.ts";
import { wrongField } from "#server/errors.ts";
import { families, familiesWithTenants, isFamilyId } from "#server/families/family.ts";
import { bindTenant } from "../bring-along.ts";
import { bringSubscription, plansBroughtAlong } from "../bring-subscription.ts";
import { actingRoles, moneyRoles } from "../roles.ts";
import { openStoreView, viewingRoles } from "../store-views.ts";
import { act, nothing } from "./act.ts";
import { customerSubject } from "./subjects.ts";

export const noteCustomer = act({
  label: "Write a note",
  explains: "Adds a note to the company's page. The customer does not see it.",
  subject: customerSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "Note", hint: "Staff read it on the company's page. It cannot be changed later." },
  asks: nothing,
  async perform({ db }, { id }, _value, { staffId, by, reason }) {
    await record(db, {
      userId: null,
      staffId,
      action: "customer.note",
      subject: `customer:${id}`,
      data: { reason, by },
    });
    return { said: "The note is on the company's page." };
  },
});

export const viewStore = act({
  label: "Look at the store as the customer",
  explains:
    "Opens the store as one of the company's people sees it, for reading alone and for 60 minutes. They are told by mail.",
  subject: customerSubject,
  roles: viewingRoles,
  needsStepUp: true,
  reason: { label: "Reason", hint: "The customer reads it in the mail, and it stays in the audit log." },
  asks: z.object({ person: z.string("Choose a person.").min(1, "Choose a person.") }),
  fields: async ({ id }, { db }) => [
    {
      name: "person",
      label: "As whom",
      kind: "choice",
      options: (await listMembers(db, id)).map(({ userId, name, email, role }) => ({
        value: userId,
        label: `${name}, ${email}, ${role}`,
      })),
    },
  ],
  hindrance: async ({ id }, { db }) =>
    (await listMembers(db, id)).length > 0 ? null : "Nobody belongs to this company.",
  async perform({ db }, { id }, { person }, performer) {
    const userId = parseId<UserId>(person);
    if (userId === null) throw wrongField("person", "Choose a person.");
    const storeView = await openStoreView(db, { customerId: id, userId }, performer);
    return { said: "The store is open as the customer sees it.", storeView };
  },
});

export const removeSecondFactorAct = act({
  label: "Remove two-step sign-in",
  explains:
    "For a person of the company who has lost both the phone and the recovery codes. Their password alone signs in afterwards, every session of theirs ends, and they are told by mail. Be sure who asks: call the number on the company's page.",
  subject: customerSubject,
  roles: actingRoles,
  needsStepUp: true,
  reason: { label: "Reason", hint: "How you know who asks. It stays in the audit log." },
  asks: z.object({ person: z.string("Choose a person.").min(1, "Choose a person.") }),
  fields: async ({ id }, { db }) => [
    {
      name: "person",
      label: "Whose",
      kind: "choice",
      options: (await withSecondFactor(db, id)).map(({ userId, name, email }) => ({
        value: userId,
        label: `${name}, ${email}`,
      })),
    },
  ],
  hindrance: async ({ id }, { db }) =>
    (await withSecondFactor(db, id)).length > 0 ? null : "Nobody of this company has two-step sign-in.",
  async perform({ db }, { id }, { person }, performer) {
    const owner = (await withSecondFactor(db, id)).find(({ userId }) => userId === person);
    if (owner === undefined) throw wrongField("person", "Choose a person.");
    await db.transaction().execute((trx) => removeSecondFactor(trx, owner, performer));
    return { said: `Two-step sign-in of ${owner.email} is removed.` };
  },
});

async function withSecondFactor(db: Db, customerId: CustomerId): Promise<Member[]> {
  const people = await listMembers(db, customerId);
  const have = await Promise.all(people.map(({ userId }) => hasSecondFactor(db, userId)));
  return people.filter((_person, index) => have[index]);
}

export const bindTenantAct = act({
  label: "Bind a tenant",
  explains:
    "Makes an account that the customer has at a vendor theirs here, so that they can add licences to it and renew it in this store. What it holds is read from the vendor within minutes.",
  subject: customerSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Evidence: what was seen",
    hint: "Such as the reseller contract, or the customer's letter. It stays with the tenant and in the audit log.",
  },
  asks: z.object({
    family: z.string("Choose a vendor.").refine(isFamilyId, "Choose a vendor."),
    domain: z.string("Enter a domain.").trim().min(1, "Enter a domain.").max(253),
    tenant: z.string().trim().max(100).default(""),
    reference: z
      .string("Enter a reference.")
      .trim()
      .min(1, "Enter a reference.")
      .max(200, "At most 200 characters."),
  }),
  fields: () => [
    {
      name: "family",
      label: "Vendor",
      kind: "choice",
      options: familiesWithTenants.map((id) => ({ value: id, label: families[id].name })),
    },
    { name: "domain", label: "Domain", hint: "As it stands at the vendor, such as acme.com.", kind: "text" },
    {
      name: "tenant",
      label: "The vendor's id of it",
      hint: "Such as the id of its tenant. It is compared with what the vendor says of the domain.",
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
    const bound = await bindTenant(
      context,
      { customerId: id, family, domain, externalId: tenant, evidence: reason, reference },
      { staffId, by },
    );
    return { said: `${bound.domain} is the company's here. What it holds is being read.` };
  },
});

const domainName = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i;

export const bringSubscriptionAct = act({
  label: "Bring a subscription along",
  explains:
    "Writes down what the customer has of a product without a vendor, so that they can add licences to it and renew it in this store. Nothing is charged.",
  subject: customerSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Evidence: what was seen",
    hint: "Such as the last invoice of the old system. It stays in the audit log.",
  },
  asks: z.object({
    plan: z.string("Choose a plan.").min(1, "Choose a plan.").max(100),
    seats: z
      .string("Enter a number.")
      .trim()
      .regex(/^[1-9]\d{0,4}$/, "Enter a number from 1."),
    term: z.enum(["P1Y", "P1M"], "Choose a term."),
    endsOn: z.iso.date("Enter a date such as 2027-03-31."),
    domain: z
      .string("Enter a domain.")
      .trim()
      .max(253)
      .regex(domainName, "Enter a whole domain, such as acme.com."),
    reference: z
      .string("Enter a reference.")
      .trim()
      .min(1, "Enter a reference.")
      .max(200, "At most 200 characters."),
  }),
  fields: async (_customer, { db }) => [
    {
      name: "plan",
      label: "Plan",
      kind: "choice",
      options: (await plansBroughtAlong(db)).map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: "seats", label: "Licences", kind: "text" },
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
      hint: "The day on which what is paid for ends, such as 2027-03-31.",
      kind: "text",
    },
    {
      name: "domain",
      label: "Domain",
      hint: "By which the customer knows it, such as acme.com.",
      kind: "text",
    },
    {
      name: "reference",
      label: "Reference",
      hint: "Where the evidence is kept, such as an invoice's number.",
      kind: "text",
    },
  ],
  async perform({ db }, { id }, { seats, ...value }, performer) {
    const brought = { customerId: id, seats: Number(seats), ...value };
    const { name } = await bringSubscription(db, brought, performer);
    return { said: `${name} is the company's here.` };
  },
});
