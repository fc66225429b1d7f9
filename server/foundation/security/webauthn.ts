/**
 * WebAuthn: creates the browser's options, and verifies its responses. The signature covers our challenge and the store's own
 * address, by an authenticator that verifies its user (a PIN, a finger, a face).
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";

/** Time limit for the browser, in seconds. */
export const maxCeremonySeconds = 5 * 60;

/** The store's identity for authenticators. */
export interface RelyingParty {
  /** Shown while a passkey is created. */
  name: string;
  /** The store's own address. */
  publicUrl: string;
}

/** Uses one of our challenges once. @returns false for an unknown, used or expired one */
export type ConsumeChallenge = (challenge: string) => Promise<boolean>;

export interface NewCredential {
  /** Credential id in base64url. */
  id: string;
  publicKey: Uint8Array;
  counter: number;
}

/** Creates the options with which a browser creates a passkey. */
export function registrationOptions(
  party: RelyingParty,
  input: { userId: string; email: string; challenge: Uint8Array<ArrayBuffer>; known: readonly string[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: idOf(party),
    userName: input.email,
    userID: new TextEncoder().encode(input.userId),
    challenge: input.challenge,
    timeout: maxCeremonySeconds * 1_000,
    excludeCredentials: input.known.map((id) => ({ id })),
    // Findable without an email, and counts as two factors.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Creates the options with which a browser signs in with any passkey of this store. */
export function assertionOptions(
  party: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: idOf(party),
    challenge,
    timeout: maxCeremonySeconds * 1_000,
    userVerification: "required",
  });
}

/**
 * Verifies a new passkey. An attestation is dropped unread: the store requests none, and checking one would read the sender's
 * certificates, and fetch addresses in them.
 * @param response its JSON
 * @returns null for an invalid response
 */
export async function verifyAttestation(
  party: RelyingParty,
  response: string,
  take: ConsumeChallenge,
): Promise<NewCredential | null> {
  const read = parse(registration, response);
  const challenge = read && challengeOf(read.response.clientDataJSON);
  if (read === null || challenge === null || !(await take(challenge))) return null;
  const verified = await orNull(() =>
    verifyRegistrationResponse({
      response: { ...read, response: withoutAttestation(read.response) },
      ...expected(party),
      expectedChallenge: challenge,
    }),
  );
  return verified?.verified === true ? verified.registrationInfo.credential : null;
}

/** Parses the id of the signing passkey, and the user that it claims. @returns null for an invalid response */
export function parseAssertion(response: string): AuthenticationResponseJSON | null {
  return parse(authentication, response);
}

/** @returns the new counter of the passkey; null for an invalid response */
export async function verifyAssertion(
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  { id, publicKey, counter }: NewCredential,
  take: ConsumeChallenge,
): Promise<number | null> {
  const challenge = challengeOf(response.response.clientDataJSON);
  if (challenge === null || !(await take(challenge))) return null;
  const credential = { id, publicKey: Uint8Array.from(publicKey), counter };
  const verified = await orNull(() =>
    verifyAuthenticationResponse({
      response,
      credential,
      ...expected(party),
      expectedChallenge: challenge,
    }),
  );
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

/** Decodes the user id that was stored in a passkey. */
export function userIdOf(userHandle: string): string {
  return Buffer.from(userHandle, "base64url").toString("utf8");
}

function expected(party: RelyingParty) {
  return {
    expectedOrigin: new URL(party.publicUrl).origin,
    expectedRPID: idOf(party),
    requireUserVerification: true,
  };
}

function idOf({ publicUrl }: RelyingParty): string {
  return new URL(publicUrl).hostname;
}

/**
 * Rewrites the attestation object with the format `none`. Some authenticators send another although none was requested.
 * @throws Error for CBOR that is malformed, or has no authenticator data
 */
function withoutAttestation<Made extends { attestationObject: string }>(made: Made): Made {
  const authData: unknown = decodeAttestationObject(isoBase64URL.toBuffer(made.attestationObject)).get(
    "authData",
  );
  if (!(authData instanceof Uint8Array))
    throw new TypeError("An attestation object without authenticator data");
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, string>()],
    ["authData", authData],
  ]);
  return { ...made, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(none)) };
}

/** Returns null for every response that the library rejects by throwing. */
async function orNull<Verified>(verify: () => Promise<Verified>): Promise<Verified | null> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(20_000);
const credential = { id: base64url, rawId: base64url, type: z.literal("public-key") };
const registration = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
}) satisfies z.ZodType<Omit<RegistrationResponseJSON, "clientExtensionResults">>;
const authentication = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    // Left out by security keys whose credential was named, and by some password managers: WebAuthn makes it optional then.
    userHandle: z
      .union([base64url, z.literal("")])
      .nullish()
      .transform((handle) => handle ?? ""),
  }),
}) satisfies z.ZodType<Omit<AuthenticationResponseJSON, "clientExtensionResults">>;

const clientData = z.object({ challenge: base64url });

function challengeOf(clientDataJSON: string): string | null {
  const read = clientData.safeParse(readJson(Buffer.from(clientDataJSON, "base64url").toString("utf8")));
  return read.success ? read.data.challenge : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parse<Answer extends object>(
  schema: z.ZodType<Answer>,
  json: string,
): (Answer & { clientExtensionResults: Record<string, never> }) | null {
  const read = schema.safeParse(readJson(json));
  return read.success ? { ...read.data, clientExtensionResults: {} } : null;
}
