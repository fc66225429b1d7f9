/**
 * Encrypts short secrets at rest (credentials, a provider's rotating tokens) with AES-256-GCM. The context ties a
 * ciphertext to the place it was written for, so that one copied into another row does not open there.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Names the format, so that a later one can be told apart from rows already written. */
const prefix = "v1.";
const ivBytes = 12;
const tagBytes = 16;

/**
 * @param key 32 bytes
 * @param context what the secret is and whose, e.g. `credentials:{orderId}`; needed again to decrypt
 * @returns `v1.` and base64url of iv, tag and ciphertext; different at every call
 * @throws RangeError when the key has another length
 */
export function encrypt(key: Buffer, plaintext: string, context: string): string {
  requireKey(key);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(prefix + context, "utf8"));
  const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/**
 * @throws Error when the text is not one of ours, was altered, or was written with another key or context;
 *   the message tells nothing of the secret
 * @throws RangeError when the key is not 32 bytes
 */
export function decrypt(key: Buffer, ciphertext: string, context: string): string {
  requireKey(key);
  const bytes = ciphertext.startsWith(prefix)
    ? Buffer.from(ciphertext.slice(prefix.length), "base64url")
    : null;
  if (bytes === null || bytes.length < ivBytes + tagBytes)
    throw new Error("Not a ciphertext of a known version");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(prefix + context, "utf8"));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      "utf8",
    );
  } catch (cause) {
    throw new Error("The ciphertext does not open with this key and context", { cause });
  }
}

function requireKey(key: Buffer): void {
  if (key.length !== 32) throw new RangeError("An encryption key has 32 bytes");
}
