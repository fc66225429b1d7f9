/**
 * Encrypts short secrets at rest (credentials, a provider's rotating tokens) with AES-256-GCM. The context binds a ciphertext to
 * its row, so that a copy in another row cannot be decrypted. Several keys can be live, so that keys can be rotated without
 * downtime.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Db } from "#db/tables/index.ts";

export interface EncryptionKey {
  /** Part of every ciphertext. Null for a key configured without one. */
  id: string | null;
  /** 32 bytes. */
  bytes: Buffer;
}

/** The first encrypts, all decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

/** Database and keys for rows with encrypted columns. */
export interface EncryptedStore {
  db: Db;
  encryptionKeys: EncryptionKeys;
}

/** Prefix of a ciphertext that names no key. */
const withoutId = "v1.";
const ivBytes = 12;
const tagBytes = 16;

/**
 * @param context the kind and owner of the secret, e.g. `{orderId}:sign-in`; needed again to decrypt
 * @returns `v2.{key id}.`, or `v1.` for a key without an id, and base64url of iv, tag and ciphertext; different at every call
 * @throws RangeError when the key has another length
 */
export function encrypt([key]: EncryptionKeys, plaintext: string, context: string): string {
  const prefix = prefixOf(key);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", bytesOf(key), iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(prefix + context, "utf8"));
  const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/**
 * @throws Error when the text is not one of our ciphertexts, was altered, or was encrypted with an unknown key or for another
 *   context; the message does not reveal the secret
 * @throws RangeError when a key is not 32 bytes
 */
export function decrypt(keys: EncryptionKeys, ciphertext: string, context: string): string {
  for (const key of keys) bytesOf(key);
  const prefix = /^(v1|v2\.[\w-]+)\./.exec(ciphertext)?.[0];
  const sealed = prefix === undefined ? null : Buffer.from(ciphertext.slice(prefix.length), "base64url");
  if (prefix === undefined || sealed === null || sealed.length < ivBytes + tagBytes)
    throw new Error("Not a ciphertext of a known version");
  // A ciphertext without a key id may belong to any key, because a key may have received an id since.
  const candidates = prefix === withoutId ? keys : keys.filter((key) => prefixOf(key) === prefix);
  if (candidates.length === 0)
    throw new Error(`The key of this ciphertext (${prefix}) is not among those given`);
  for (const key of candidates) {
    const plaintext = opened(key, sealed, prefix + context);
    if (plaintext !== null) return plaintext;
  }
  throw new Error("The ciphertext does not open with these keys and this context");
}

/** Returns the prefix of every ciphertext of this key. */
export function prefixOf({ id }: EncryptionKey): string {
  return id === null ? withoutId : `v2.${id}.`;
}

function opened(key: EncryptionKey, sealed: Buffer, authenticated: string): string | null {
  const decipher = createDecipheriv("aes-256-gcm", bytesOf(key), sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(authenticated, "utf8"));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    // The only possible error here is an authentication tag that does not match.
    return null;
  }
}

function bytesOf({ bytes }: EncryptionKey): Buffer {
  if (bytes.length !== 32) throw new RangeError("An encryption key has 32 bytes");
  return bytes;
}
