/** The Google client's configuration, which the caller reads from the environment. */
import type { OnCall } from "../http.ts";
import type { Quota } from "../throttle.ts";

export interface GoogleConfig {
  /** Cloud Channel. Defaults to Google's own. */
  channelUrl?: string | undefined;
  /** Directory API. Defaults to Google's own. */
  directoryUrl?: string | undefined;
  /** Exchanges assertions for access tokens, and is their audience. Defaults to Google's own. */
  tokenUrl?: string | undefined;
  /** The reseller's account id: the part after `accounts/`. */
  accountId: string;
  /** The service account with domain-wide delegation: `client_email` of its key file. */
  serviceAccountEmail: string;
  /** Its RSA key as PKCS #8 PEM: `private_key` of its key file, with line breaks real or written as `\n`. */
  privateKey: string;
  /** Administrator of the reseller's domain, whom the service account impersonates. */
  resellerAdmin: string;
  /** Display name of the report on the reseller's bill; left out when there is none. */
  billReport?: string | undefined;
  /** Time-out of a single call, in milliseconds. */
  timeoutMs: number;
  onCall?: OnCall | undefined;
  /** Quota of Cloud Channel's calls. Operations have a separate, wide quota, and lists one in server/catalogue/families/google/entitlements.ts. */
  quota?: Quota | undefined;
}

export const googleChannelUrl = "https://cloudchannel.googleapis.com";
export const googleDirectoryUrl = "https://admin.googleapis.com";
export const googleTokenUrl = "https://oauth2.googleapis.com/token";
