/**
 * Codes of an authenticator app (RFC 6238): six digits, SHA-1, 30 seconds, which the apps support. The previous and the next step
 * count too, because clocks differ.
 */
import { Secret, TOTP } from "otpauth";

const periodSeconds = 30;
const stepsAround = 1;
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;

/** Creates a secret, in base32 for typing it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** Returns the URI for the app's QR code. @param listed service and account under which the app lists the code */
export function totpUri(secret: string, listed: { issuer: string; email: string }): string {
  return totpOf(secret, listed).toString();
}

/**
 * Returns the time step of a code, which detects a second use.
 * @returns null for a code of another time
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  // The library throws for other texts of six characters.
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret, unlisted).validate({ token: code, timestamp, window: stepsAround });
  return delta === null ? null : TOTP.counter({ period: periodSeconds, timestamp }) + delta;
}

const unlisted = { issuer: "", email: "" };

function totpOf(secret: string, { issuer, email }: { issuer: string; email: string }): TOTP {
  return new TOTP({
    issuer,
    label: email,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}
