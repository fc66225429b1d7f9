/**
 * Context of every handler: the state, the clock, the counters and the faults. One object, so that the same handlers work in the
 * process that serves them over HTTP and inside a test.
 */
import type { CatalogueChange } from "./catalogue-changes.ts";
import type { TextRecords } from "./dns.ts";
import { Faults } from "./faults.ts";
import { defaultMode, type GoogleMode } from "./google/mode.ts";
import type { SandboxOptions } from "./options.ts";
import { defaultPartnerMode, type PartnerMode } from "./partner-center/mode.ts";
import { defaultRefundMode, type RefundMode } from "./razorpay/refund-mode.ts";
import { RazorpayWebhooks } from "./razorpay/webhooks.ts";
import { emptyState, openStore } from "./state.ts";
import type { SandboxState } from "./state-schemas.ts";
import { VendorWebhooks } from "./vendor-webhooks.ts";

/** One call as it arrived, for tests that assert on requests and their order. */
export interface JournalEntry {
  readonly at: string;
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly requestId: string | undefined;
  readonly body: unknown;
  /** Undefined while unanswered, and permanently when a fault cut the call. */
  status: number | undefined;
}

const journalLength = 1000;

/** Deviations from the usual payouts, by the ids of payments and refunds. */
export interface SettlementMode {
  readonly held: readonly string[];
  /** Fees in minor units. */
  readonly fees: Readonly<Record<string, number>>;
}
const defaultSettlements: SettlementMode = { held: [], fees: {} };

export class Sandbox {
  readonly options: SandboxOptions;
  readonly state: SandboxState;
  readonly save: () => Promise<void>;
  readonly faults = new Faults();
  readonly webhooks: RazorpayWebhooks;
  readonly notices: VendorWebhooks;
  readonly journal: JournalEntry[] = [];
  /** Milliseconds by which the providers' clock runs ahead, so that a test can pass the 7-day windows. */
  clockOffset = 0;
  delayScale: number;
  refundMode: RefundMode = defaultRefundMode;
  /** Number of responses that hid a customer's resource, by Microsoft's id or Google's name of the customer. */
  unseen: Record<string, number> = {};
  google: GoogleMode;
  /** Times of Google's calls in the last minute, oldest first. */
  readonly googleCalls: number[] = [];
  /** Offers that vendors have stopped selling: `product:sku` at Microsoft, a SKU at Google. */
  withdrawn: readonly string[] = [];
  catalogue: readonly CatalogueChange[] = [];
  partnerMode: PartnerMode = defaultPartnerMode;
  /** Buyers' GSTINs that the invoice registration portal treats as inactive. */
  inactiveGstins: ReadonlySet<string> = new Set();
  /** Payments and refunds left out of payouts, and payments with a different fee. */
  settlements: SettlementMode = defaultSettlements;
  /** Records of the name server. */
  readonly dns: TextRecords = new Map();

  constructor(options: SandboxOptions, store: { state: SandboxState; save(): Promise<void> }) {
    this.options = options;
    this.delayScale = options.delayScale ?? 0;
    this.google = usualGoogle(options);
    this.state = store.state;
    this.save = store.save;
    this.webhooks = new RazorpayWebhooks(options);
    this.notices = new VendorWebhooks(options);
  }

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /** Unix seconds, Razorpay's unit of time. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  count(kind: string): void {
    this.state.counts[kind] = (this.state.counts[kind] ?? 0) + 1;
  }

  record(entry: JournalEntry): void {
    this.journal.push(entry);
    if (this.journal.length > journalLength) this.journal.shift();
  }

  /** Forgets everything but the partners' consents: entities, mail, journal, faults, webhook mode, clock and withdrawn offers. */
  async reset(): Promise<void> {
    const { refreshTokens } = this.state.partner;
    Object.assign(this.state, emptyState());
    this.state.partner.refreshTokens = refreshTokens;
    this.partnerMode = defaultPartnerMode;
    this.settlements = defaultSettlements;
    this.journal.length = 0;
    this.faults.replace([]);
    this.webhooks.reset();
    this.notices.reset();
    this.clockOffset = 0;
    this.refundMode = defaultRefundMode;
    this.delayScale = this.options.delayScale ?? 0;
    this.unseen = {};
    this.google = usualGoogle(this.options);
    this.googleCalls.length = 0;
    this.withdrawn = [];
    this.catalogue = [];
    this.inactiveGstins = new Set();
    this.dns.clear();
    await this.save();
  }
}

const usualGoogle = ({ googleCallsPerMinute }: SandboxOptions): GoogleMode => ({
  ...defaultMode,
  ...(googleCallsPerMinute !== undefined && { callsPerMinute: googleCallsPerMinute }),
});

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  return new Sandbox(options, await openStore(options.dataFile, options.log));
}
