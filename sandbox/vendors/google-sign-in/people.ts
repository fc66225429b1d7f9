/**
 * People who can sign in at the sandbox's Google: one for each case that a store has to handle, and anyone typed in. People who
 * have signed in are kept, because the provider asks for their claims by subject afterwards.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { GooglePerson } from "./entities.ts";

export interface FixedPerson extends GooglePerson {
  id: string;
  about: string;
}

const inTime = { isLate: false } as const;

export const fixedPeople: readonly FixedPerson[] = [
  {
    id: "gita",
    name: "Gita Menon",
    email: "gita.menon.sandbox@gmail.com",
    emailVerified: true,
    hostedDomain: null,
    about: "a Gmail account, whose mailbox Google keeps itself",
    ...inTime,
  },
  {
    id: "wasim",
    name: "Wasim Khan",
    email: "wasim@orchard.example",
    emailVerified: true,
    hostedDomain: "orchard.example",
    about: "an account of a Workspace domain",
    ...inTime,
  },
  {
    id: "demo",
    name: "Demo Claimed",
    email: "demo@example.com",
    emailVerified: true,
    hostedDomain: null,
    about: "made with the demo company's email, which was verified once",
    ...inTime,
  },
  {
    id: "una",
    name: "Una Sure",
    email: "una@elsewhere.example",
    emailVerified: false,
    hostedDomain: null,
    about: "an account whose email was never verified",
    ...inTime,
  },
  {
    id: "lata",
    name: "Lata Late",
    email: "lata.late.sandbox@gmail.com",
    emailVerified: true,
    hostedDomain: null,
    isLate: true,
    about: "comes back when the code has expired",
  },
];

/** Properties to choose for a typed email. */
export const typedEmails = [
  ["no", "The email is not verified"],
  ["once", "The email was verified once, and its mailbox is elsewhere"],
  ["yes", "The email is verified, in a Workspace domain"],
] as const;

export interface TypedPerson {
  email: string;
  name: string;
  verified: (typeof typedEmails)[number][0];
}

export function typedPerson(form: TypedPerson): GooglePerson {
  const email = form.email.trim() === "" ? null : form.email.trim();
  return {
    email,
    name: form.name.trim() === "" ? (email ?? "Somebody") : form.name.trim(),
    emailVerified: form.verified !== "no",
    hostedDomain: form.verified === "yes" ? (email?.split("@").at(-1)?.toLowerCase() ?? null) : null,
    isLate: false,
  };
}

/** Keeps a person who is about to sign in. @returns the subject: always the same for the same account */
export function remember(sandbox: Sandbox, person: GooglePerson): string {
  const { name, email, emailVerified, hostedDomain, isLate } = person;
  const subject = subjectOf(`${hostedDomain} ${email?.toLowerCase() ?? name}`);
  sandbox.state.googleSignIn.people[subject] = { name, email, emailVerified, hostedDomain, isLate };
  return subject;
}

/** Subject of an account: digits only, as at Google. */
function subjectOf(account: string): string {
  const digest = createHash("sha256").update(`google account ${account}`).digest();
  return `1${String(digest.readBigUInt64BE()).padStart(20, "0")}`;
}

/** The ID token's claims in Google's format: unknown ones are left out. */
export function claimsOf(sandbox: Sandbox, subject: string): JsonObject | undefined {
  const person = sandbox.state.googleSignIn.people[subject];
  if (person === undefined) return undefined;
  const [givenName = "", ...rest] = person.name.split(/\s+/);
  return {
    name: person.name,
    given_name: givenName,
    ...(rest.length > 0 && { family_name: rest.join(" ") }),
    ...(person.email !== null && { email: person.email, email_verified: person.emailVerified }),
    ...(person.hostedDomain !== null && { hd: person.hostedDomain }),
  };
}
