/**
 * Reads a report that a mail was not delivered, as a mail server sends it to our sender's address (RFC 3464). Whoever can write to that
 * address can send one, so it is believed only of a mail that it names by its Message-ID, which none but we and its readers know.
 */
import PostalMime, { type Attachment } from "postal-mime";

/** What became of one recipient (RFC 3464, section 2.3). */
export interface RecipientStatus {
  /** In lower case: as we wrote it, and where it went in the end, such as behind a forwarding. */
  addresses: string[];
  action: "failed" | "delayed" | "delivered" | "relayed" | "expanded";
  /** Of RFC 3463, such as "5.1.1". */
  status: string;
  /** The server's words; null where it gave none. */
  words: string | null;
}

export interface DeliveryReport {
  /** Of the mail that it is about, without its brackets; null where the report does not give it back. */
  messageId: string | null;
  recipients: RecipientStatus[];
}

const actions = ["failed", "delayed", "delivered", "relayed", "expanded"] as const;

/** @returns null for anything but such a report: an answer that somebody wrote, an absence, advertising */
export async function parseDeliveryReport(message: Uint8Array): Promise<DeliveryReport | null> {
  const { attachments } = await PostalMime.parse(message, {
    forceRfc822Attachments: true,
    attachmentEncoding: "arraybuffer",
    maxNestingDepth: 20,
  });
  const status = attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType));
  if (status === undefined) return null;
  // The first block is about the report as a whole, each further one about a recipient.
  const [, ...blocks] = textOf(status)
    .trim()
    .split(/\r?\n[ \t]*\r?\n/);
  const recipients = blocks.flatMap((block) => recipientIn(fieldsIn(block)) ?? []);
  if (recipients.length === 0) return null;
  const returned = attachments.find(({ mimeType }) => /^(message|text)\/rfc822(-headers)?$/.test(mimeType));
  const messageId = returned === undefined ? null : messageIdIn(textOf(returned));
  return { messageId, recipients };
}

/** Whether the recipient's address itself was refused for good, and would refuse the next mail too (RFC 3463, section 3). */
export function isPermanentAddressFailure(status: string): boolean {
  // Permanent, but for what lies with the sender, a full mailbox, the size or content of the one mail, or what somebody thinks of it.
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

/** "rfc822; Asha@Example.com": only mail addresses, since other types name none of ours. */
function addressIn(value: string | undefined): string | null {
  const [, address] = /^(?:rfc822|utf-8);\s*<?([^\s<>]+@[^\s<>]+)>?$/i.exec(value ?? "") ?? [];
  return address?.toLowerCase() ?? null;
}

/** The fields of a header block, folded lines made one, by their names in lower case. */
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
