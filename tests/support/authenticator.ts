/**
 * A passkey authenticator in software: creates a key pair for an origin and signs challenges with it, as a device would
 * (WebAuthn, level 3), with deviations that a test asks for.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Attested, attestationObject } from "./attestation.ts";

/** Deviations from a browser's behaviour. */
export interface Wrongly {
  origin?: string;
  rpId?: string;
  /** Whether the user was verified by PIN, finger or face. */
  verified?: boolean;
  counter?: number;
  /** Whether the passkey is synchronised between devices. */
  isBackedUp?: true;
  /** Null to send null, or to leave it out: see `leavesOutHandle`. */
  userHandle?: string | null;
  leavesOutHandle?: true;
  /** The attestation object, instead of one with the format `none`. */
  attestation?: (attested: Attested) => Uint8Array;
}

export class Authenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly #origin: string;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #publicKey: Buffer;
  #userHandle = "";
  #counter = 0;

  /**
   * @param origin of the store
   * @param algorithm RS256 for Windows Hello on older machines
   */
  constructor(origin: string, algorithm: "ES256" | "RS256" = "ES256") {
    this.#origin = origin;
    this.#keys =
      algorithm === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { x = "", y = "", n = "", e = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const bytes = (text: string) => Buffer.from(text, "base64url");
    this.#publicKey = Buffer.concat(
      algorithm === "ES256"
        ? // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
          [
            Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]),
            bytes(x),
            Buffer.from([0x22, 0x58, 32]),
            bytes(y),
          ]
        : // COSE: {1: 3, 3: -257, -1: n, -2: e}
          [
            Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, 0x01, 0x00]),
            bytes(n),
            Buffer.from([0x21, 0x43]),
            bytes(e),
          ],
    );
  }

  /** The response to registration options, as the page's form posts it. */
  make({ challenge, user }: { challenge: string; user: { id: string } }, wrongly: Wrongly = {}): string {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey]);
    const data = Buffer.concat([this.#authenticatorData(wrongly, 0x40), attested]);
    const clientData = this.#clientData("webauthn.create", challenge, wrongly);
    const clientDataHash = createHash("sha256").update(clientData).digest();
    const attestation =
      wrongly.attestation?.({ authData: data, clientDataHash, ...this.#keys }) ??
      attestationObject("none", new Map(), data);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      attestationObject: Buffer.from(attestation).toString("base64url"),
    });
  }

  /** The response to sign-in options. */
  signIn({ challenge }: { challenge: string }, wrongly: Wrongly = {}): string {
    const data = this.#authenticatorData(wrongly, 0);
    const clientData = this.#clientData("webauthn.get", challenge, wrongly);
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
      ...(wrongly.leavesOutHandle !== true && {
        userHandle: wrongly.userHandle === undefined ? this.#userHandle : wrongly.userHandle,
      }),
    });
  }

  #answer(response: Record<string, string | null>): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Wrongly): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(wrongly: Wrongly, flags: number): Buffer {
    const { rpId = new URL(this.#origin).hostname, verified = true } = wrongly;
    this.#counter = wrongly.counter ?? this.#counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const present = 0x01 | (verified ? 0x04 : 0) | (wrongly.isBackedUp ? 0x18 : 0);
    return Buffer.concat([
      createHash("sha256").update(rpId).digest(),
      Buffer.from([present | flags]),
      counter,
    ]);
  }
}
