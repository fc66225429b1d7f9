/** The Partner Center client's configuration, which the caller reads from the environment. */
import type { OnCall } from "../http.ts";
import type { Quota } from "../throttle.ts";

export interface ConsentStore {
  /** The newest refresh token of the consenting user of the partner, or null while nobody has consented. */
  readRefreshToken(): Promise<string | null>;
  /** Stores the token that came for the used one, which may be the same, and that it was used. */
  replaceRefreshToken(used: string, newer: string): Promise<void>;
}

export interface PartnerCenterConfig {
  /** `https://api.partnercenter.microsoft.com`, or a distributor's compatible API. */
  apiUrl: string;
  /** Price sheets: `https://api.partner.microsoft.com`. */
  pricesUrl: string;
  /** The lines of bills. Defaults to Microsoft's own Graph. */
  graphUrl?: string;
  /** `https://login.microsoftonline.com`. */
  loginUrl: string;
  /** Tenant id or domain of the partner. */
  partnerTenant: string;
  clientId: string;
  clientSecret: string;
  /** The directory role of the buyer's first user. Defaults to "Company Administrator". */
  adminRoleName?: string;
  /** The key in a scheduled action that says when it happens. Defaults to "scheduleType". */
  scheduleKey?: "scheduleType" | "scheduledType";
  /** The token's audience. Defaults to Microsoft's own. */
  resource?: string;
  /** The time-out of a single call, in milliseconds. */
  timeoutMs: number;
  consent: ConsentStore;
  onCall?: OnCall | undefined;
  /** Of the partner's calls. */
  quota?: Quota | undefined;
}
