/** What the sandbox is started with. */

export type Log = (message: string, fields?: Record<string, unknown>) => void;

export interface SandboxOptions {
  /** Where the state is kept; null keeps it in memory. */
  readonly dataFile: string | null;
  /** Where Razorpay's webhooks go; none are sent without it. */
  readonly webhookUrl?: string | undefined;
  /** Milliseconds between attempts at an unanswered webhook; the number of entries bounds the retries. */
  readonly webhookRetryDelays?: readonly number[] | undefined;
  readonly razorpay: { readonly keyId: string; readonly keySecret: string; readonly webhookSecret: string };
  readonly log: Log;
}
