/** Attestations of passkeys whose certificates name a URL for the library to fetch. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { element, issueCertificate, oid, sequence } from "#sandbox/vendors/certificates.ts";

/** Data that an attestation signs. */
export interface Attested {
  authData: Buffer;
  clientDataHash: Buffer;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

type Statement = string | number | Uint8Array | Uint8Array[];

/** Every format that @simplewebauthn/server verifies, and an unknown one. */
export const attestationFormats = [
  "packed",
  "tpm",
  "android-key",
  "android-safetynet",
  "fido-u2f",
  "apple",
  "unheard-of",
];

/** Encodes an attestation object as an authenticator does. */
export function attestationObject(
  format: string,
  statement: Map<string, Statement>,
  authData: Uint8Array,
): Uint8Array {
  return isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, Statement>>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]),
  );
}

/** Creates an attestation whose two certificates name `address` as their list of revoked certificates. */
export function attestationNaming(format: string, address: string) {
  return (attested: Attested): Uint8Array => {
    const x5c = chainNaming(address, attested);
    const signed = Buffer.concat([attested.authData, attested.clientDataHash]);
    const sig = sign("sha256", signed, attested.privateKey);
    const header = { alg: "ES256", x5c: x5c.map((each) => each.toString("base64")) };
    const jwt = [header, { nonce: "", timestampMs: 0 }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    const statements: Record<string, [string, Statement][]> = {
      tpm: [
        ["ver", "2.0"],
        ["pubArea", new Uint8Array(80)],
        ["certInfo", new Uint8Array(120)],
      ],
      "android-safetynet": [
        ["ver", "1"],
        ["response", Buffer.from(`${jwt.join(".")}.${sig.toString("base64url")}`)],
      ],
    };
    const parts: [string, Statement][] = [
      ["alg", -7],
      ["sig", sig],
      ["x5c", x5c],
      ...(statements[format] ?? []),
    ];
    return attestationObject(format, new Map(parts), attested.authData);
  };
}

function chainNaming(address: string, { publicKey, clientDataHash }: Attested): Buffer[] {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = { organisation: "Anybody", name: "Root" };
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
  const issuer = {
    ...name,
    privateKey: createPrivateKey(authority.privateKey.export({ type: "pkcs8", format: "pem" })),
  };
  const lists = element(0x86, Buffer.from(address));
  const crl = extension("2.5.29.31", sequence(sequence(element(0xa0, element(0xa0, lists)))));
  const [three, one, none] = [Buffer.from([3]), Buffer.from([1]), Buffer.alloc(0)];
  const keyDescription = sequence(
    element(0x02, three),
    element(0x0a, one),
    element(0x02, three),
    element(0x0a, one),
    element(0x04, clientDataHash),
    element(0x04, none),
    sequence(),
    sequence(),
  );
  const ofKey = extension("1.3.6.1.4.1.11129.2.1.17", keyDescription);
  const root = { subject: name, publicKey: authority.publicKey, isAuthority: true, extensions: [crl] };
  const leaf = {
    subject: { organisation: "Anybody", name: "attest.android.com" },
    publicKey,
    isAuthority: false,
    extensions: [crl, ofKey],
  };
  return [leaf, root].map((each) => der(issueCertificate({ ...each, issuer, from, to })));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), element(0x04, value));
}

function der(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----.*-----/g, ""), "base64");
}
