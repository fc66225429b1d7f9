/**
 * Parses non-delivery reports that mail servers send to our sender's address (RFC 3464). Anyone who can write to that address can
 * forge one, so it counts only for a mail that it names by its Message-ID, which only we and the mail's readers know.
 */
import PostalMime, { type Attachment } from "postal-mime";

/** Delivery status of one recipient (RFC 3464, section 2.3). */
export interface RecipientStatus {
  /** Lower-case addresses: the one we wrote to, and the final one, which differs after forwarding. */
  addresses: string[];
  action: "failed" | "delayed" | "delivered" | "relayed" | "expanded";
  /** Status code as in RFC 3463, such as "5.1.1". */
  status: string;
  /** The server's text; null where it gave none. */
  words: string | null;
}

export interface DeliveryReport {
  /** Message-ID of the reported mail, without brackets; null when the report does not contain it. */
  messageId: string | null;
  recipients: RecipientStatus[];
}

const actions = ["failed", "delayed", "delivered", "relayed", "expanded"] as const;

/** @returns null for any other message: a reply, an out-of-office notice, advertising */
export async function parseDeliveryReport(message: Uint8Array): Promise<DeliveryReport | null> {
  const { attachments } = await PostalMime.parse(message, {
    forceRfc822Attachments: true,
    attachmentEncoding: "arraybuffer",
    maxNestingDepth: 20,
  });
  const status = attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType));
  if (status === undefined) return null;
  // The first block describes the whole report, each further one a recipient.
  const [, ...blocks] = textOf(status)
    .trim()
    .split(/\r?\n[ \t]*\r?\n/);
  const recipients = blocks.flatMap((block) => recipientIn(fieldsIn(block)) ?? []);
  if (recipients.length === 0) return null;
  const returned = attachments.find(({ mimeType }) => /^(message|text)\/rfc822(-headers)?$/.test(mimeType));
  const messageId = returned === undefined ? null : messageIdIn(textOf(returned));
  return { messageId, recipients };
}

/** Whether the server refused the recipient's address permanently, so that the next mail would fail too (RFC 3463, section 3). */
export function isPermanentAddressFailure(status: string): boolean {
  // Permanent codes, except for problems of the sender, a full mailbox, the size or content of the one mail, or a policy.
  return /^5\./.test(status) && !/^5\.(1\.[78]|2\.[234]|3\.4|6\.|7\.)/.test(status);
}

function recipientIn(fields: ReadonlyMap<string, string>): RecipientStatus | null {
  const addresses = ["original-recipient", "final-recipient"].flatMap(
    (name) => addressIn(fields.get(name)) ?? [],
  );
  const action = actions.find((each) => each === fields.get("action")?.toLowerCase());
  const [status] = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "") ?? [];
  if (addresses.length === 0 || action === undefined || status === undefined) return null;
  const words = fields.get("diagnostic-code")?.replace(/^[\w-]+;\s*/, "");
  return { addresses, action, status, words: words === undefined || words === "" ? null : words };
}

/** Parses "rfc822; Asha@Example.com"; null for other address types, which never name a recipient of ours. */
function addressIn(value: string | undefined): string | null {
  const [, address] = /^(?:rfc822|utf-8);\s*<?([^\s<>]+@[^\s<>]+)>?$/i.exec(value ?? "") ?? [];
  return address?.toLowerCase() ?? null;
}

/** Maps the fields of a header block by lower-case name, with folded lines joined. */
function fieldsIn(block: string): Map<string, string> {
  const lines = block.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
    }),
  );
}

function messageIdIn(returned: string): string | null {
  const [headers = ""] = returned.split(/\r?\n\r?\n/, 1);
  const [, id] = /^<([^\s<>]{1,300})>$/.exec(fieldsIn(headers).get("message-id") ?? "") ?? [];
  return id ?? null;
}

function textOf({ content }: Attachment): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}
