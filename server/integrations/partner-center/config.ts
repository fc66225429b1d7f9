/** The Partner Center client's configuration, which the caller reads from the environment. */
import type { OnCall } from "../http.ts";
import type { Quota } from "../throttle.ts";

export interface ConsentStore {
  /** Returns the latest refresh token of the partner's consenting user, or null while nobody has consented. */
  readRefreshToken(): Promise<string | null>;
  /** Stores the new token after the used one, which may be the same, and the time of use. */
  replaceRefreshToken(used: string, newer: string): Promise<void>;
}

export interface PartnerCenterConfig {
  /** `https://api.partnercenter.microsoft.com`, or a distributor's compatible API. */
  apiUrl: string;
  /** Price sheets: `https://api.partner.microsoft.com`. */
  pricesUrl: string;
  /** Address for the lines of bills. Defaults to Microsoft's own Graph. */
  graphUrl?: string;
  /** `https://login.microsoftonline.com`. */
  loginUrl: string;
  /** Tenant id or domain of the partner. */
  partnerTenant: string;
  clientId: string;
  clientSecret: string;
  /** Directory role of the buyer's first user. Defaults to "Company Administrator". */
  adminRoleName?: string;
  /** Key for the time of a scheduled action. Defaults to "scheduleType". */
  scheduleKey?: "scheduleType" | "scheduledType";
  /** Audience of the token. Defaults to Microsoft's own. */
  resource?: string;
  /** Time-out of a single call, in milliseconds. */
  timeoutMs: number;
  consent: ConsentStore;
  onCall?: OnCall | undefined;
  /** Quota of the partner's calls. */
  quota?: Quota | undefined;
}
