/** The destinations that the settings name; web and worker connect to nothing else (security/egress.ts). */
import { addressOf } from "#db/client.ts";
import type { Destinations } from "#server/foundation/security/egress.ts";
import type { Env } from "./env.ts";

/** Default ports for a mail server's address without one. */
const mailPorts: Readonly<Record<string, string>> = { "smtp:": "587", "smtps:": "465" };

/** Lists the providers, database and mail server that the settings let a process connect to, each once. */
export function destinationsOf(env: Env): Destinations {
  const addresses = [
    env.RAZORPAY_API_URL,
    env.PARTNER_CENTER_URL,
    env.PARTNER_PRICES_URL,
    env.MICROSOFT_LOGIN_URL,
    env.GRAPH_URL,
    env.GOOGLE_CHANNEL_URL,
    env.GOOGLE_DIRECTORY_URL,
    env.GOOGLE_TOKEN_URL,
    env.GOOGLE_CERTS_URL,
    env.GST_API_URL,
    ...[...env.eInvoiceAccounts.values()].map(({ url }) => url),
    ...[...env.identityAccounts.values()].map(({ issuer }) => issuer),
    ...[...env.PARTNER_NOTICE_CERTIFICATE_HOSTS, ...env.OUTGOING_HOSTS].map((host) => `https://${host}`),
  ];
  const database = addressOf(env.DATABASE_URL);
  const mail = new URL(env.SMTP_URL);
  return {
    hosts: [...new Set([...addresses.map(hostAndPort), ...(database === null ? [] : [database])])],
    mailServer: withPort(mail, mailPorts[mail.protocol] ?? ""),
  };
}

function hostAndPort(address: string): string {
  const url = new URL(address);
  return withPort(url, url.protocol === "https:" ? "443" : "80");
}

function withPort({ hostname, port }: URL, standard: string): string {
  return `${hostname.replace(/^\[|\]$/g, "").toLowerCase()}:${port === "" ? standard : port}`;
}
