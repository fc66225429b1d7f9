/** What the Partner Center client is told at start; every value comes from the environment through the caller. */
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
  /** The directory role the buyer's first user gets; "Company Administrator" unless told otherwise. */
  adminRoleName?: string;
  /** The token's audience; Microsoft's own unless told otherwise. */
  resource?: string;
  /** Milliseconds a single call may take. */
  timeoutMs: number;
  tokens: RefreshTokenStore;
  onCall?: OnCall | undefined;
}
