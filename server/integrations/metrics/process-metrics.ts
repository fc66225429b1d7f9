/**
 * Metrics of this process's own work, for Prometheus (docs/operate/metrics.md). One registry per process; each event is counted
 * where it happens. No label contains an id, an address, a domain or any other text that a stranger chooses.
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export const processRegistry = new Registry();
const registers = [processRegistry];

/** Unit: seconds. A page takes hundredths, a provider seconds. */
const requestBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const providerBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const jobBuckets = [0.05, 0.25, 1, 5, 15, 60, 300];

export const httpRequests = new Histogram({
  name: "http_request_duration_seconds",
  help: "Requests that were answered, by the pattern of their route",
  labelNames: ["route", "method", "status"],
  buckets: requestBuckets,
  registers,
});

export const providerRequests = new Counter({
  name: "provider_requests_total",
  help: "Calls to providers, by what came of them",
  labelNames: ["provider", "call", "outcome", "code"],
  registers,
});

export const providerDurations = new Histogram({
  name: "provider_request_duration_seconds",
  help: "How long calls to providers took",
  labelNames: ["provider", "outcome"],
  buckets: providerBuckets,
  registers,
});

export const webhooks = new Counter({
  name: "webhook_total",
  help: "Webhooks of payment providers and vendors, by what was made of them",
  labelNames: ["provider", "event", "result"],
  registers,
});

export const logins = new Counter({
  name: "login_total",
  help: "Password sign-in attempts",
  labelNames: ["result"],
  registers,
});

export const cspViolations = new Counter({
  name: "csp_violations_total",
  help: "What browsers reported as blocked by a page's Content-Security-Policy, by directive",
  labelNames: ["directive"],
  registers,
});

export const jobDurations = new Histogram({
  name: "job_duration_seconds",
  help: "Jobs that this worker ran, by what came of them",
  labelNames: ["job", "outcome"],
  buckets: jobBuckets,
  registers,
});

export const fulfilmentDurations = new Histogram({
  name: "fulfilment_duration_seconds",
  help: "From the payment of an order to its end, of orders that this worker finished",
  labelNames: ["provider"],
  buckets: [5, 15, 30, 60, 120, 300, 900, 1800, 3600, 21_600, 86_400],
  registers,
});

export const poolConnections = new Gauge({
  name: "database_pool_connections",
  help: "Connections of this process to the database, and callers that wait for one",
  labelNames: ["state"],
  registers,
});

export const storeRead = new Gauge({
  name: "store_read_success",
  help: "1 when the figures of the whole store could be read from the database; else 0, and they are left out",
  registers,
});

const maxLabels = 60;
const known = new Map<string, Set<string>>();

/**
 * Returns a safe label for outside text: at most 60 values of a kind are kept, and only plain words; all others are "other".
 * @param kind values of the same kind are counted together
 */
export function labelOf(kind: string, text: string | null): string {
  if (text === null || !/^[A-Za-z][\w.-]{0,59}$/.test(text)) return "other";
  const seen = known.get(kind) ?? new Set();
  known.set(kind, seen);
  if (seen.size >= maxLabels && !seen.has(text)) return "other";
  seen.add(text);
  return text;
}
