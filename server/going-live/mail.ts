/** Mail: what the names of the sender's domain say of who may send for it, whether the server takes us in, and what comes back. */
import { findLastBounce } from "#db/mails.ts";
import { type Check, type Finding, missing, right, unknown, wrong } from "./check.ts";

const deploy = 'docs/operate/deploy.md, "Mail that arrives"';

/** "Hubs <store@shop.example>": shop.example. */
export function senderDomain(from: string): string {
  return (/@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? "").toLowerCase();
}

/** RFC 7208: who may send for a domain. @param records its TXT records */
export function judgeSpf(domain: string, records: readonly string[]): Finding {
  const found = records.filter((record) => /^v=spf1( |$)/i.test(record));
  const [only] = found;
  if (only === undefined) return missing(`${domain} has no SPF record.`, `Publish one: ${deploy}.`);
  if (found.length > 1)
    return wrong(`${domain} has ${found.length} SPF records, which counts as none.`, "Make them one.");
  if (/(^| )(\+|\?)?all( |$)/i.test(only))
    return wrong(`The SPF record of ${domain} lets everybody send: ${only}`, "End it with -all or ~all.");
  if (!/ [-~]all( |$)/i.test(only) && !/ redirect=/i.test(only))
    return wrong(`The SPF record of ${domain} forbids nobody: ${only}`, "End it with -all or ~all.");
  return right(`SPF: ${only}`);
}

/** RFC 6376: the key that mails are signed for. @param records the TXT records of the selector's name */
export function judgeDkim(name: string, records: readonly string[]): Finding {
  const keys = records.filter((record) => /(^|;)\s*p=/i.test(record));
  const [key] = keys;
  if (key === undefined) return missing(`${name} has no DKIM key.`, `Publish it: ${deploy}.`);
  if (keys.length > 1) return wrong(`${name} has ${keys.length} keys.`, "Leave the one that signs.");
  return /(^|;)\s*p=\s*[A-Za-z0-9+/=]/i.test(key)
    ? right(`DKIM: ${name} has a key.`)
    : wrong(`The DKIM key at ${name} has been revoked.`, "Publish the one that signs.");
}

/** RFC 7489: what becomes of mail that neither confirms. @param records the TXT records of the domain's _dmarc name */
export function judgeDmarc(domain: string, records: readonly string[]): Finding {
  const found = records.filter((record) => /^v=DMARC1\s*(;|$)/i.test(record));
  const [only] = found;
  if (only === undefined) return missing(`${domain} has no DMARC record.`, `Publish one: ${deploy}.`);
  if (found.length > 1)
    return wrong(`${domain} has ${found.length} DMARC records, which counts as none.`, "Leave one.");
  return /;\s*p=(none|quarantine|reject)\s*(;|$)/i.test(only)
    ? right(`DMARC: ${only}`)
    : wrong(
        `The DMARC record of ${domain} has no policy: ${only}`,
        "Begin with p=none, and go on to p=reject.",
      );
}

export const mailRecords: Check = {
  id: "mail-records",
  name: "Mail's DNS records",
  look: async ({ context: { dns, env } }) => {
    const domain = senderDomain(env.MAIL_FROM);
    const selector = env.MAIL_DKIM_SELECTOR;
    /** As the worst of the name servers has it. */
    const judged = async (name: string, judge: (records: readonly string[]) => Finding): Promise<Finding> => {
      const all = (await dns.readText(name)).map(judge);
      return (
        all.find(({ standing }) => standing !== "right") ??
        all[0] ??
        missing(`Nobody was asked for ${name}.`, "Set DNS_SERVERS.")
      );
    };
    const key = `${selector}._domainkey.${domain}`;
    return [
      await judged(domain, (records) => judgeSpf(domain, records)),
      selector === ""
        ? missing("It is not known under which name mails are signed.", "Set MAIL_DKIM_SELECTOR.")
        : await judged(key, (records) => judgeDkim(key, records)),
      await dmarcOf(domain, judged),
    ];
  },
};

/** A domain without a record has that of the organisation above it. */
async function dmarcOf(
  domain: string,
  judged: (name: string, judge: (records: readonly string[]) => Finding) => Promise<Finding>,
): Promise<Finding> {
  const own = await judged(`_dmarc.${domain}`, (records) => judgeDmarc(domain, records));
  const above = domain.split(".").slice(1);
  if (own.standing !== "missing" || above.length < 2) return own;
  const inherited = await dmarcOf(above.join("."), judged);
  return inherited.standing === "missing" ? own : inherited;
}

export const mailServer: Check = {
  id: "mail-server",
  name: "Mail server",
  look: async ({ context }) => {
    await context.mail.verify();
    return [right("The mail server takes us in.")];
  },
};

export const returnedMails: Check = {
  id: "returned-mails",
  name: "Mails that come back",
  look: async ({ context }) => {
    const last = await findLastBounce(context.db);
    return [
      last === null
        ? unknown(
            "No report of a mail that came back has been taken in yet.",
            'Have a mail sent to an address that does not exist, and see that its report arrives: docs/operate/deploy.md, "Mail that comes back".',
          )
        : right(`A report of a mail that came back was last taken in ${last.toISOString()}.`),
    ];
  },
};
