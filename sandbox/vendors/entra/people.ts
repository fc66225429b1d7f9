/**
 * People who can sign in to a tenant at the sandbox's Microsoft: one for each case that a store has to handle. Everybody belongs
 * to whichever tenant is signed in to.
 */
import { guidOf, type JsonObject } from "../http-helpers.ts";

const globalAdministrator = "62e90394-69f5-4237-9190-012177145e10";
const billingAdministrator = "b0f54661-2d74-4c50-afa3-1ec803f12efe";
/** A role that every member has: it does not make anybody an administrator. */
const everyMember = "b79fbf4d-3ef9-4689-8143-76b194e85509";

export interface TenantPerson {
  id: string;
  name: string;
  about: string;
  /** Template ids of the roles in the tenant. */
  roles: readonly string[];
  /** Set when the ID token has no roles: Graph has to be queried. */
  rolesAreSilent?: true;
  /** Origin of a guest: another tenant, or a personal account. */
  guestOf?: "another tenant" | "personal accounts";
  /** Signed in to another tenant, and returns with a URL that names this one. */
  forgesTenant?: true;
  /** Seconds since they gave their password. */
  signedInAgo?: number;
}

export const tenantPeople: readonly TenantPerson[] = [
  {
    id: "administrator",
    name: "Anu Administrator",
    about: "a Global Administrator here",
    roles: [globalAdministrator],
  },
  {
    id: "billing",
    name: "Bela Billing",
    about: "a Billing Administrator here",
    roles: [billingAdministrator],
  },
  { id: "user", name: "Uma User", about: "works here, without an administrator's role", roles: [] },
  {
    id: "guest",
    name: "Gita Guest",
    about: "a guest here, and an administrator in another organisation",
    roles: [globalAdministrator],
    guestOf: "another tenant",
  },
  {
    id: "personal",
    name: "Paul Personal",
    about: "a personal account that was invited here",
    roles: [globalAdministrator],
    guestOf: "personal accounts",
  },
  {
    id: "forger",
    name: "Farid Forger",
    about: "an administrator of another organisation, who comes back with this one's id in the address",
    roles: [globalAdministrator],
    forgesTenant: true,
  },
  {
    id: "silent",
    name: "Sita Silent",
    about: "a Global Administrator here whose roles only Graph tells",
    roles: [globalAdministrator],
    rolesAreSilent: true,
  },
  {
    id: "silent-user",
    name: "Sunil Silent",
    about: "works here without a role, which only Graph tells",
    roles: [],
    rolesAreSilent: true,
  },
  {
    id: "stale",
    name: "Old Session",
    about: "a Global Administrator here who gave the password an hour ago",
    roles: [globalAdministrator],
    signedInAgo: 3_600,
  },
];

const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

export function tenantPerson(id: string): TenantPerson | undefined {
  return tenantPeople.find((person) => person.id === id);
}

/** The ID token's claims as Entra writes them in its version 2. @param issuer as in the token */
export function claimsOfTenantPerson(person: TenantPerson, tenant: string): JsonObject {
  const otherTenant = guidOf(`elsewhere ${tenant}`);
  const { id, name, guestOf } = person;
  return {
    ver: "2.0",
    tid: person.forgesTenant ? otherTenant : tenant,
    oid: guidOf(`object ${id} ${tenant}`),
    acct: guestOf === undefined ? 0 : 1,
    ...(guestOf === "another tenant" && { idp: `https://sts.windows.net/${otherTenant}/` }),
    ...(guestOf === "personal accounts" && { idp: `https://sts.windows.net/${personalTenant}/` }),
    ...(!person.rolesAreSilent && { wids: [...person.roles, everyMember] }),
    name,
    // Changeable, and not a proof of anything: it names this tenant regardless of who has it.
    preferred_username: `${id}@${tenant}.example`,
  };
}
