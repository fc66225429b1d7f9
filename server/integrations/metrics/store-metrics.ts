/**
 * Metrics read from the database on request: the same in every process, regardless of their number and restarts. To combine
 * processes, take the maximum, never the sum.
 */
import { Counter, Gauge, Registry } from "prom-client";

export const storeRegistry = new Registry();
const registers = [storeRegistry];

function gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers });
}

function counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
  return new Counter({ name, help, labelNames, registers });
}

export const storeMetrics = {
  orders: counter("orders_total", "Orders that came to a state", "provider", "country", "state"),
  openOrders: gauge("orders_open", "Orders that are not over, by state", "provider", "country", "state"),
  needsAttention: gauge("needs_attention", "Items that need attention", "kind"),
  oldestFulfilment: gauge(
    "fulfilment_oldest_seconds",
    "Start time of the oldest paid order in progress; 0 if none",
  ),
  fulfilmentJobs: gauge("fulfilment_jobs", "Fulfilment jobs in the queue, by state", "state"),
  jobs: gauge("job_queue", "All jobs in the queue, by state", "state"),
  oldestJob: gauge("job_queue_oldest_seconds", "Since when the oldest due job waits; 0 without one"),
  clockJobs: gauge(
    "clock_job_last_success_timestamp_seconds",
    "When each scheduled job last completed; sync-subscriptions is the sync of all subscriptions",
    "job",
  ),

  payments: counter("payments_total", "Payments that were decided on", "method", "result"),
  unsettledPayments: gauge("payments_unsettled", "Payments that complete no order", "state"),
  refunds: counter("refunds_total", "Refunds completed or failed", "result"),
  money: counter("money_total", "Money by what became of it, in units of its currency", "kind", "currency"),
  disputeDue: gauge(
    "dispute_respond_by_timestamp_seconds",
    "Response deadline of the next open dispute; 0 if none",
  ),
  unmatched: gauge("recon_unmatched", "Unacknowledged discrepancies", "kind"),

  lowMargins: gauge(
    "price_margin_below_floor",
    "Items with a price in force that leaves less over its cost than PRICE_MARGIN_FLOOR",
  ),

  documents: gauge("irn_unregistered", "Documents that are not registered for GST yet", "state"),
  oldestDocument: gauge(
    "irn_pending_oldest_seconds",
    "How old the oldest document is that waits for its registration; 0 without one",
  ),

  mails: gauge("mail_queue", "Emails queued and not sent"),
  oldestMail: gauge("mail_queue_oldest_seconds", "Since when the oldest of them waits; 0 without one"),
  refusedMails: counter("mails_refused_total", "Emails permanently rejected by the recipient's server"),

  lastWebhook: gauge(
    "webhook_last_timestamp_seconds",
    "When each payment provider last sent an event; absent for one that never did",
    "provider",
  ),
  tokenAge: gauge(
    "provider_token_age_seconds",
    "Age of each partner account's consent; absent if none",
    "provider",
    "country",
  ),
  paused: gauge("provider_paused", "1 for each vendor account that takes no orders", "provider", "country"),
};
