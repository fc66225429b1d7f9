/** Options with which the sandbox starts. */

export type Log = (message: string, fields?: Record<string, unknown>) => void;

/** The store's account at Razorpay in a country. */
export interface RazorpayAccount {
  readonly country: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly webhookSecret: string;
}

/** The store as one of Microsoft's partners in a country. */
export interface Partner {
  /** The only country where it may sell. */
  readonly country: string;
  /** Domain of the partner's tenant. */
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SandboxOptions {
  /** File that holds the state; null keeps it in memory. */
  readonly dataFile: string | null;
  /** Address of Razorpay's webhooks; none are sent without it. */
  readonly webhookUrl?: string | undefined;
  /** Address of its webhooks about virtual accounts; none are sent without it. */
  readonly transferWebhookUrl?: string | undefined;
  /** Address of its webhooks about payment links; none are sent without it. */
  readonly linkWebhookUrl?: string | undefined;
  /** Milliseconds between attempts at an unanswered webhook; the number of entries bounds the retries. */
  readonly webhookRetryDelays?: readonly number[] | undefined;
  /** Addresses at which vendors announce changes of subscriptions; none are announced without them. */
  readonly notices?:
    | {
        urlOf(family: string): string;
        /** The service account with which Google pushes. */
        readonly googleEmail: string;
        /** The key in PEM of the authority that the store trusts. */
        readonly authorityKey: string;
      }
    | undefined;
  /** Factor for the vendors' delays (delays.ts): 1 for the real ones; without it there are none. */
  readonly delayScale?: number | undefined;
  /** Cloud Channel's quota (google/mode.ts); without it there is none. */
  readonly googleCallsPerMinute?: number | undefined;
  /** The store's accounts at Razorpay. */
  readonly razorpay: readonly RazorpayAccount[];
  /** The store's accounts at Partner Center. */
  readonly partners: readonly Partner[];
  readonly log: Log;
}
