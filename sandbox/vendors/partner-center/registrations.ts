/**
 * Registers each partner's address for Partner Center's webhooks, and sends test notices, at most two a minute. An address must
 * be https, except on this machine, where the store runs next to the sandbox.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { isLoopback } from "#server/foundation/security/network.ts";
import { anyOrigin, guid, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Call, PartnerError, parse, read, writeOnce } from "./calls.ts";

const path = "/partner-center/webhooks/v1/registration";
const testEvent = "test-created";
/** Events listed on Microsoft's page of webhook events. */
const events: readonly string[] = [
  "azure-fraud-event-detected",
  "dap-admin-relationship-approved",
  "dap-admin-relationship-terminated",
  "granular-admin-relationship-approved",
  "granular-admin-relationship-terminated",
  "invoice-ready",
  "referral-created",
  "referral-updated",
  "reseller-relationship-accepted-by-customer",
  "subscription-updated",
  testEvent,
  "usagerecords-thresholdExceeded",
];
const minute = 60_000;
const testsPerMinute = 2;

const registration = z.object({ WebhookUrl: z.string(), WebhookEvents: z.array(z.string()).min(1) });

export function partnerRegistrationHandlers(sandbox: Sandbox): HttpHandler[] {
  const register = writeOnce(sandbox, "notices.register", (call) => {
    const given = parse(registration, call.body);
    requireAddress(given.WebhookUrl);
    const unknown = given.WebhookEvents.find((name) => !events.includes(name));
    if (unknown !== undefined) throw new PartnerError(400, 2000, `The event ${unknown} is not supported.`);
    sandbox.state.partner.registrations[call.partner.country] = given;
    return { status: 200, body: { SubscriberId: guid(), ...given } };
  });
  return [
    http.get(
      anyOrigin(`${path}/events`),
      read(sandbox, () => ({ status: 200, body: events })),
    ),
    http.get(
      anyOrigin(path),
      read(sandbox, (call) => ({ status: 200, body: registered(sandbox, call) })),
    ),
    http.post(anyOrigin(path), register),
    http.put(anyOrigin(path), register),
    http.post(
      anyOrigin(`${path}/validationEvents`),
      writeOnce(sandbox, "notices.test", (call) => ({
        status: 200,
        body: { correlationId: sendTest(sandbox, call) },
      })),
    ),
    http.get(
      anyOrigin(`${path}/validationEvents/:test`),
      read(sandbox, (call) => ({ status: 200, body: standing(sandbox, call) })),
    ),
  ];
}

function requireAddress(address: string): void {
  const isSafe = URL.canParse(address) && (new URL(address).protocol === "https:" || isLoopback(address));
  if (!isSafe) throw new PartnerError(400, 2000, "Invalid property: WebhookUrl must be an https address.");
}

/** @throws PartnerError 404 for a partner without a registration */
function registered(sandbox: Sandbox, { partner }: Call): z.infer<typeof registration> {
  const found = sandbox.state.partner.registrations[partner.country];
  if (found !== undefined) return found;
  throw new PartnerError(404, 1000, "There is no registration.");
}

/** @returns the id with which the delivery can be queried */
function sendTest(sandbox: Sandbox, call: Call): string {
  const { WebhookUrl: url, WebhookEvents } = registered(sandbox, call);
  if (!WebhookEvents.includes(testEvent))
    throw new PartnerError(400, 2000, `The registration is not for ${testEvent}.`);
  const { tests } = sandbox.notices;
  const now = sandbox.now();
  const recent = tests.filter(
    ({ country, at: sentAt }) => country === call.partner.country && now - sentAt < minute,
  );
  if (recent.length >= testsPerMinute) throw new PartnerError(429, 429, "Too many test events: 2 a minute.");
  const id = guid();
  tests.push({ id, country: call.partner.country, url, at: now });
  sandbox.notices.partnerCenter({
    event: testEvent,
    uri: `${call.origin}${path}/validationEvents/${id}`,
    resource: "test",
    changedAt: now,
    url,
    eventId: id,
  });
  return id;
}

function standing(sandbox: Sandbox, call: Call): JsonObject {
  const test = sandbox.notices.tests.find(
    ({ id, country }) => id === call.param("test") && country === call.partner.country,
  );
  if (test === undefined) throw new PartnerError(404, 1000, "There is no such test event.");
  const delivery = sandbox.notices.deliveries.find(({ eventId }) => eventId === test.id);
  const met = delivery?.status;
  return {
    correlationId: test.id,
    partnerId: guid(),
    status: delivery?.done === true ? "completed" : "inProgress",
    callbackUrl: test.url,
    results:
      met === undefined
        ? []
        : [
            {
              responseCode: delivery?.done === true ? "OK" : String(met),
              responseMessage: "",
              systemError: false,
              dateTimeUtc: new Date(sandbox.now()).toISOString(),
            },
          ],
  };
}
