/** What the Google client is told at start; every value comes from the environment through the caller. */
import type { OnCall } from "../http.ts";

export interface GoogleConfig {
  /** Cloud Channel; Google's own unless told otherwise. */
  channelUrl?: string | undefined;
  /** Directory API; Google's own unless told otherwise. */
  directoryUrl?: string | undefined;
  /** Where assertions become access tokens; also their audience. Google's own unless told otherwise. */
  tokenUrl?: string | undefined;
  /** The reseller's account id: the part behind `accounts/`. */
  accountId: string;
  /** The service account with domain-wide delegation: `client_email` of its key file. */
  serviceAccountEmail: string;
  /** Its RSA key as PKCS #8 PEM: `private_key` of its key file, line ends real or written as `\n`. */
  privateKey: string;
  /** The administrator of the reseller's domain it acts for. */
  resellerAdmin: string;
  /** Milliseconds a single call may take. */
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export const googleChannelUrl = "https://cloudchannel.googleapis.com";
export const googleDirectoryUrl = "https://admin.googleapis.com";
export const googleTokenUrl = "https://oauth2.googleapis.com/token";
