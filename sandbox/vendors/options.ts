/** What the sandbox is started with. */

export type Log = (message: string, fields?: Record<string, unknown>) => void;

/** The store's account at Razorpay in a country. */
export interface RazorpayAccount {
  readonly country: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly webhookSecret: string;
}

/** The store as a partner of Microsoft's in a country. */
export interface Partner {
  /** The only country where it may sell. */
  readonly country: string;
  /** Its own tenant, by its domain. */
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SandboxOptions {
  /** Where the state is kept; null keeps it in memory. */
  readonly dataFile: string | null;
  /** Where Razorpay's webhooks go; none are sent without it. */
  readonly webhookUrl?: string | undefined;
  /** Where its webhooks about virtual accounts go; none are sent without it. */
  readonly transferWebhookUrl?: string | undefined;
  /** Where its webhooks about payment links go; none are sent without it. */
  readonly linkWebhookUrl?: string | undefined;
  /** Milliseconds between attempts at an unanswered webhook; the number of entries bounds the retries. */
  readonly webhookRetryDelays?: readonly number[] | undefined;
  /** Where vendors announce changes of subscriptions; nothing is announced without it. */
  readonly notices?:
    | {
        urlOf(family: string): string;
        /** The service account as which Google pushes. */
        readonly googleEmail: string;
        /** The key in PEM of the authority that the store trusts. */
        readonly authorityKey: string;
      }
    | undefined;
  /** Vendors' delays (delays.ts) times this: 1 is as in the world, and without it there are none. */
  readonly delayScale?: number | undefined;
  /** Cloud Channel's quota (google/mode.ts); without it there is none. */
  readonly googleCallsPerMinute?: number | undefined;
  /** The store's accounts at Razorpay. */
  readonly razorpay: readonly RazorpayAccount[];
  /** The store's accounts at Partner Center. */
  readonly partners: readonly Partner[];
  readonly log: Log;
}
