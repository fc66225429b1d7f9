/**
 * What every handler is given: the state, the clock, the counters and the ways to misbehave. One object, so that the same handlers
 * work in the process which serves them over HTTP and inside a test.
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

/** One call as it arrived, for tests which assert what was sent and in which order. */
export interface JournalEntry {
  readonly at: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly requestId: string | undefined;
  readonly body: unknown;
  /** Undefined while unanswered, and for ever when a fault cut the call. */
  status: number | undefined;
}

const journalLength = 1000;

/** How payouts depart from what they usually are, by the ids of payments and refunds. */
export interface SettlementMode {
  readonly held: readonly string[];
  /** In minor units. */
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
  /** Milliseconds the providers' clock runs ahead, so that a test may pass the 7-day windows. */
  clockOffset = 0;
  delayScale: number;
  refundMode: RefundMode = defaultRefundMode;
  /** How often something of a customer's was not to be seen yet, by Microsoft's id or Google's name of the customer. */
  unseen: Record<string, number> = {};
  google: GoogleMode;
  /** When Google's calls of the last minute came, oldest first. */
  readonly googleCalls: number[] = [];
  /** What vendors have stopped selling: `product:sku` at Microsoft, a SKU at Google. */
  withdrawn: readonly string[] = [];
  catalogue: readonly CatalogueChange[] = [];
  partnerMode: PartnerMode = defaultPartnerMode;
  /** Buyers' GSTINs that the invoice registration portal takes for inactive. */
  inactiveGstins: ReadonlySet<string> = new Set();
  /** Ids of payments and refunds that are in no payout, and fees of payments in place of the usual. */
  settlements: SettlementMode = defaultSettlements;
  /** What the name server answers. */
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

  /** Unix seconds, as Razorpay writes time. */
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

  /** Forgets everything but the partners' consents: entities, mail, journal, faults, webhook mode, clock and what was withdrawn. */
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
