/**
 * People who can sign in at the sandbox's Outlook: four fixed ones, one for each case that a store has to handle, and anyone
 * typed in. People who have signed in are kept, because the provider asks for their claims by subject afterwards.
 */

import { guidOf, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { OutlookPerson } from "./entities.ts";

/** Microsoft's tenant of all personal accounts. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const orchardTenant = guidOf("orchard.example");

export interface FixedPerson extends OutlookPerson {
  id: string;
  about: string;
}

export const fixedPeople: readonly FixedPerson[] = [
  {
    id: "nina",
    name: "Nina Menon",
    email: "nina@orchard.example",
    verified: true,
    tenant: orchardTenant,
    about: "a work account whose email domain is verified",
  },
  {
    id: "paul",
    name: "Paul Personal",
    email: "paul.personal@outlook.example",
    verified: false,
    tenant: personalTenant,
    about: "a personal account, which Microsoft verifies itself",
  },
  {
    id: "demo",
    name: "Demo Claimed",
    email: "demo@example.com",
    verified: false,
    tenant: guidOf("elsewhere.example"),
    about: "claims the demo company's email, not verified",
  },
  {
    id: "ravi",
    name: "Ravi Nomail",
    email: null,
    verified: false,
    tenant: orchardTenant,
    about: "a work account without an email",
  },
];

/** Keeps a person who is about to sign in. @returns the subject: always the same for the same tenant and email */
export function remember(sandbox: Sandbox, person: OutlookPerson): string {
  const subject = guidOf(`outlook ${person.tenant} ${person.email?.toLowerCase() ?? person.name}`);
  const { name, email, verified, tenant } = person;
  sandbox.state.outlook.people[subject] = { name, email, verified, tenant };
  return subject;
}

/**
 * A typed-in person. A verified email belongs to its domain's own tenant; any other to an unknown one, because anybody can have
 * one.
 */
export function typedPerson(form: { email: string; name: string; verified: boolean }): OutlookPerson {
  const email = form.email.trim() === "" ? null : form.email.trim();
  return {
    email,
    name: form.name.trim() === "" ? (email ?? "Somebody") : form.name.trim(),
    verified: form.verified,
    tenant: guidOf(
      `outlook tenant ${(form.verified && email?.split("@").at(-1)?.toLowerCase()) || "elsewhere"}`,
    ),
  };
}

/** The ID token's claims in Entra's format: unknown ones are left out. */
export function claimsOf(sandbox: Sandbox, subject: string): JsonObject | undefined {
  const person = sandbox.state.outlook.people[subject];
  if (person === undefined) return undefined;
  return {
    tid: person.tenant,
    oid: guidOf(`object ${subject}`),
    name: person.name,
    // The sign-in name; changeable, and not a proof of anything.
    preferred_username:
      person.email ?? `${person.name.toLowerCase().replaceAll(" ", ".")}@orchard.onmicrosoft.example`,
    ...(person.email !== null && { email: person.email }),
    ...(person.verified && { xms_edov: true }),
  };
}
