/** Issues X.509 certificates, for which Node has no API: the parts of the format (RFC 5280) that a chain of two needs. */
import { type KeyObject, randomBytes, sign } from "node:crypto";

interface Name {
  organisation: string;
  name: string;
}

export interface CertificateRequest {
  subject: Name;
  publicKey: KeyObject;
  issuer: Name & { privateKey: KeyObject };
  /** Whether it may issue others. */
  isAuthority: boolean;
  from: Date;
  to: Date;
  /** Further extensions, in DER. */
  extensions?: readonly Buffer[];
}

/** @returns the certificate in PEM */
export function issueCertificate(request: CertificateRequest): string {
  const { subject, publicKey, issuer, isAuthority, from, to, extensions = [] } = request;
  const algorithm = signatureAlgorithm(issuer.privateKey);
  const constraints = sequence(...(isAuthority ? [element(0x01, Buffer.from([0xff]))] : []));
  const basicConstraints = sequence(oid("2.5.29.19"), element(0x04, constraints));
  const content = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(time(from), time(to)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(basicConstraints, ...extensions)),
  );
  const signature = sign("sha256", content, issuer.privateKey);
  const whole = sequence(content, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function signatureAlgorithm({ asymmetricKeyType }: KeyObject): Buffer {
  return asymmetricKeyType === "ec"
    ? sequence(oid("1.2.840.10045.4.3.2"))
    : sequence(oid("1.2.840.113549.1.1.11"), element(0x05));
}

function nameOf({ organisation, name }: Name): Buffer {
  const part = (type: string, value: string) =>
    element(0x31, sequence(oid(type), element(0x0c, Buffer.from(value))));
  return sequence(part("2.5.4.10", organisation), part("2.5.4.3", name));
}

function time(date: Date): Buffer {
  const [, digits = ""] = /^\d\d(\d+)/.exec(date.toISOString().replace(/[-:T]/g, "")) ?? [];
  return element(0x17, Buffer.from(`${digits.slice(0, 12)}Z`));
}

const integer = (bytes: Buffer) => element(0x02, bytes);

/** An object identifier. @param dotted "2.5.29.19" */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((left % 128) + 128);
  return bytes;
}

/** A sequence of elements. */
export const sequence = (...parts: readonly Buffer[]) => element(0x30, ...parts);

/** One element of DER. @param parts of at most 65,535 bytes together */
export function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}
