/** Mail: the DNS records of the sender's domain about permitted senders, the mail server's login, and bounces. */
import { findLastBounce } from "#db/mail/mails.ts";
import { type Check, type Finding, invalid, missing, ok, unknown } from "./check.ts";

const deploy = 'docs/operate/deploy.md, "Mail that arrives"';

/** Returns "shop.example" for "Hubs <store@shop.example>". */
export function senderDomain(from: string): string {
  return (/@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? "").toLowerCase();
}

/** Checks SPF (RFC 7208), the permitted senders of a domain. @param records its TXT records */
export function checkSpf(domain: string, records: readonly string[]): Finding {
  const found = records.filter((record) => /^v=spf1( |$)/i.test(record));
  const [only] = found;
  if (only === undefined) return missing(`${domain} has no SPF record.`, `Publish one: ${deploy}.`);
  if (found.length > 1)
    return invalid(
      `${domain} has ${found.length} SPF records, which makes it invalid.`,
      "Merge them into one.",
    );
  if (/(^| )(\+|\?)?all( |$)/i.test(only))
    return invalid(`The SPF record of ${domain} lets anyone send: ${only}`, "End it with -all or ~all.");
  if (!/ [-~]all( |$)/i.test(only) && !/ redirect=/i.test(only))
    return invalid(`The SPF record of ${domain} blocks no one: ${only}`, "End it with -all or ~all.");
  return ok(`SPF: ${only}`);
}

/** Checks DKIM (RFC 6376), the key that verifies mail signatures. @param records the TXT records of the selector's name */
export function checkDkim(name: string, records: readonly string[]): Finding {
  const keys = records.filter((record) => /(^|;)\s*p=/i.test(record));
  const [key] = keys;
  if (key === undefined) return missing(`${name} has no DKIM key.`, `Publish it: ${deploy}.`);
  if (keys.length > 1) return invalid(`${name} has ${keys.length} keys.`, "Keep only the signing key.");
  return /(^|;)\s*p=\s*[A-Za-z0-9+/=]/i.test(key)
    ? ok(`DKIM: ${name} has a key.`)
    : invalid(`The DKIM key at ${name} has been revoked.`, "Publish the current signing key.");
}

/**
 * Checks DMARC (RFC 7489), the policy for mail that passes neither. @param records the TXT records of the domain's _dmarc name
 */
export function checkDmarc(domain: string, records: readonly string[]): Finding {
  const found = records.filter((record) => /^v=DMARC1\s*(;|$)/i.test(record));
  const [only] = found;
  if (only === undefined) return missing(`${domain} has no DMARC record.`, `Publish one: ${deploy}.`);
  if (found.length > 1)
    return invalid(`${domain} has ${found.length} DMARC records, which makes it invalid.`, "Leave one.");
  return /;\s*p=(none|quarantine|reject)\s*(;|$)/i.test(only)
    ? ok(`DMARC: ${only}`)
    : invalid(
        `The DMARC record of ${domain} has no policy: ${only}`,
        "Start with p=none, then move to p=reject.",
      );
}

export const mailRecords: Check = {
  id: "mail-records",
  name: "Email DNS records",
  look: async ({ context: { dns, env } }) => {
    const domain = senderDomain(env.MAIL_FROM);
    const selector = env.MAIL_DKIM_SELECTOR;
    /** Returns the worst finding among the name servers. */
    const judged = async (name: string, judge: (records: readonly string[]) => Finding): Promise<Finding> => {
      const all = (await dns.readText(name)).map(judge);
      return (
        all.find(({ status }) => status !== "right") ??
        all[0] ??
        missing(`${name} wasn't looked up.`, "Set DNS_SERVERS.")
      );
    };
    const key = `${selector}._domainkey.${domain}`;
    return [
      await judged(domain, (records) => checkSpf(domain, records)),
      selector === ""
        ? missing("The DKIM selector isn't set.", "Set MAIL_DKIM_SELECTOR.")
        : await judged(key, (records) => checkDkim(key, records)),
      await dmarcOf(domain, judged),
    ];
  },
};

/** Falls back to the record of the organisation's domain. */
async function dmarcOf(
  domain: string,
  judged: (name: string, judge: (records: readonly string[]) => Finding) => Promise<Finding>,
): Promise<Finding> {
  const own = await judged(`_dmarc.${domain}`, (records) => checkDmarc(domain, records));
  const above = domain.split(".").slice(1);
  if (own.status !== "missing" || above.length < 2) return own;
  const inherited = await dmarcOf(above.join("."), judged);
  return inherited.status === "missing" ? own : inherited;
}

export const mailServer: Check = {
  id: "mail-server",
  name: "Mail server",
  look: async ({ context }) => {
    await context.mail.verify();
    return [ok("The mail server accepts our connection.")];
  },
};

export const bounceCheck: Check = {
  id: "returned-mails",
  name: "Bounced emails",
  look: async ({ context }) => {
    const last = await findLastBounce(context.db);
    return [
      last === null
        ? unknown(
            "No bounce reports received yet.",
            `Send an email to an address that doesn't exist and check that the bounce report arrives: docs/operate/deploy.md, "Mail that comes back".`,
          )
        : ok(`Last bounce report: ${last.toISOString()}.`),
    ];
  },
};
