/** The Partner Center client's configuration, which the caller reads from the environment. */
import type { OnCall } from "../http.ts";

export interface RefreshTokenStore {
  /** The newest refresh token of the consenting partner user, or null while nobody has consented. */
  readRefreshToken(): Promise<string | null>;
  storeRefreshToken(token: string): Promise<void>;
}

export interface PartnerCenterConfig {
  /** `https://api.partnercenter.microsoft.com`, or a distributor's compatible API. */
  apiUrl: string;
  /** `https://login.microsoftonline.com`. */
  loginUrl: string;
  /** Tenant id or domain of the partner. */
  partnerTenant: string;
  clientId: string;
  clientSecret: string;
  /** The directory role of the buyer's first user. Defaults to "Company Administrator". */
  adminRoleName?: string;
  /** The token's audience. Defaults to Microsoft's own. */
  resource?: string;
  /** The time-out of a single call, in milliseconds. */
  timeoutMs: number;
  tokens: RefreshTokenStore;
  onCall?: OnCall | undefined;
}
