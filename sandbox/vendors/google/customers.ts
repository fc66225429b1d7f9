/** Cloud Channel's customers: domain ownership, creation, list, import with a transfer token, and their Cloud Identity. */
import { randomBytes } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { delayOf } from "../delays.ts";
import type { JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import {
  type Answer,
  type Call,
  channel,
  domainName,
  GoogleError,
  pageOf,
  parse,
  read,
  text,
  write,
} from "./calls.ts";
import { customerOf } from "./customer-of.ts";
import type { GoogleCustomer } from "./entities.ts";
import { entitlementsOf } from "./entitlements.ts";
import { customerOfDomain, foreignIdentity, identityIdOf, identityOf, isTaken } from "./identities.ts";
import { operationHandler, type PreparedOperation } from "./operations.ts";
import { accountName, paths } from "./paths.ts";
import { checkTransferToken } from "./transfer-token.ts";
import { addUser, userByEmail } from "./users.ts";

const newCustomer = z.looseObject({
  orgDisplayName: text,
  orgPostalAddress: z.looseObject({ regionCode: z.string().length(2) }),
  primaryContactInfo: z.looseObject({ email: z.email().optional() }).optional(),
  alternateEmail: z.email().optional(),
  domain: domainName,
  languageCode: z.string().optional(),
});
const importing = z.object({
  domain: domainName.optional(),
  cloudIdentityId: text.optional(),
  authToken: z.string().optional(),
  overwriteIfExists: z.boolean().default(false),
});
const provisioning = z.object({
  cloudIdentityInfo: z
    .looseObject({
      customerType: z.enum(["DOMAIN", "TEAM"]).optional(),
      alternateEmail: z.email().optional(),
    })
    .optional(),
  user: z.object({ email: z.email(), givenName: text, familyName: text }).optional(),
  validateOnly: z.boolean().default(false),
});

export function googleCustomerHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(
      paths.account("checkCloudIdentityAccountsExist"),
      write(sandbox, channel, (call) => {
        const { domain } = parse(z.object({ domain: domainName }), call.body);
        return { body: accountsOf(sandbox, accountName(call), domain) };
      }),
    ),
    http.post(
      paths.customersVerb("import"),
      write(sandbox, channel, (call) => importCustomer(sandbox, call)),
    ),
    http.post(
      paths.customers,
      write(sandbox, channel, (call) => createCustomer(sandbox, call)),
    ),
    http.get(
      paths.customers,
      read(sandbox, channel, (call) => {
        const all = Object.values(sandbox.state.google.customers)
          .filter((each) => each.name.startsWith(`${accountName(call)}/`))
          .filter(customerFilter(sandbox, call.query.get("filter") ?? ""));
        const { items, ...page } = pageOf(all, call.query, { usual: 10, most: 50 });
        return { customers: items.map((each) => customerBody(sandbox, each)), ...page };
      }),
    ),
    http.get(
      paths.customer,
      read(sandbox, channel, (call) => customerBody(sandbox, customerOf(sandbox, call))),
    ),
    http.post(
      paths.customerVerb("provisionCloudIdentity"),
      operationHandler(
        sandbox,
        { kind: "google.provision", type: "PROVISION_CLOUD_IDENTITY", hasRequestId: false },
        (call) => provision(sandbox, call),
      ),
    ),
  ];
}

export function addCustomer(
  sandbox: Sandbox,
  given: Pick<GoogleCustomer, "name" | "domain" | "source" | "profile" | "identity">,
): GoogleCustomer {
  const createdAt = sandbox.now();
  const acceptsTermsAt = given.source === "seeded" ? 0 : termsAcceptedAt(sandbox, createdAt);
  const customer: GoogleCustomer = { ...given, acceptsTermsAt, createdAt };
  sandbox.state.google.customers[customer.name] = customer;
  if (acceptsTermsAt !== null && acceptsTermsAt > createdAt) {
    const announce = () =>
      announceAcceptance(sandbox, customer).catch((error: unknown) =>
        sandbox.options.log("an accepted terms' notice broke", { error: String(error) }),
      );
    setTimeout(announce, acceptsTermsAt - createdAt).unref();
  }
  return customer;
}

/** @returns null when nobody accepts them */
function termsAcceptedAt(sandbox: Sandbox, createdAt: number): number | null {
  return sandbox.google.termsPending ? null : createdAt + delayOf(sandbox, "googleTerms");
}

/** Accepts the terms, as a super administrator in the admin console. @returns the domain; undefined when no customer has it */
export async function acceptTerms(sandbox: Sandbox, domain: string): Promise<string | undefined> {
  const customer = customerOfDomain(sandbox, domain);
  if (customer === undefined) return undefined;
  customer.acceptsTermsAt = sandbox.now();
  await announceAcceptance(sandbox, customer);
  return customer.domain;
}

async function announceAcceptance(sandbox: Sandbox, customer: GoogleCustomer): Promise<void> {
  for (const { name } of entitlementsOf(sandbox, customer))
    await sandbox.notices.google(name, "ACTIVATED", sandbox.now());
}

function newCustomerName(account: string): string {
  return `${account}/customers/S${randomBytes(4).toString("hex")}`;
}

function accountsOf(sandbox: Sandbox, account: string, domain: string): JsonObject {
  const existing = (more: JsonObject) => ({
    cloudIdentityAccounts: [{ existing: true, customerType: "DOMAIN", ...more }],
  });
  const customer = customerOfDomain(sandbox, domain);
  if (customer !== undefined) {
    const id = identityOf(sandbox, customer);
    const more = id === undefined ? {} : { customerCloudIdentityId: id };
    return existing({ owned: true, customerName: customer.name, ...more });
  }
  const id = identityIdOf(domain);
  if (isTaken(domain))
    return existing({ owned: true, customerName: `${account}/customers/${id}`, customerCloudIdentityId: id });
  if (foreignIdentity(sandbox, domain) !== undefined)
    return existing({ owned: false, customerCloudIdentityId: id });
  return {};
}

function createCustomer(sandbox: Sandbox, call: Call): Answer {
  const { domain, ...profile } = parse(newCustomer, call.body);
  const email = profile.primaryContactInfo?.email;
  if (email !== undefined && email.split("@").at(-1)?.toLowerCase() !== domain) {
    throw new GoogleError(
      "INVALID_ARGUMENT",
      "The domain field value doesn't match the primary email domain.",
    );
  }
  if (isTaken(domain) || customerOfDomain(sandbox, domain) !== undefined)
    throw new GoogleError("ALREADY_EXISTS", `A customer with the domain ${domain} already exists.`);
  const name = newCustomerName(accountName(call));
  const customer = addCustomer(sandbox, { name, domain, source: "created", profile, identity: null });
  return { body: customerBody(sandbox, customer), kind: "google.customer.create" };
}

function importCustomer(sandbox: Sandbox, call: Call): Answer {
  const given = parse(importing, call.body);
  const domain = given.domain ?? domainOfIdentity(sandbox, given.cloudIdentityId);
  if (domain === undefined) throw new GoogleError("NOT_FOUND", "The Cloud Identity doesn't exist.");
  checkTransferToken(sandbox, given.authToken ?? "");
  const known = customerOfDomain(sandbox, domain);
  if (isTaken(domain) || (known !== undefined && !given.overwriteIfExists)) {
    throw new GoogleError("ALREADY_EXISTS", "A customer already exists and requires an overwrite.");
  }
  if (known !== undefined && identityOf(sandbox, known) !== undefined)
    return { body: customerBody(sandbox, known), kind: "google.customer.import.replayed" };

  const foreign = foreignIdentity(sandbox, domain);
  if (foreign === undefined) throw new GoogleError("NOT_FOUND", "The Cloud Identity doesn't exist.");
  const identity = { id: foreign.id, operation: null, info: { customerType: "DOMAIN" } };
  if (known !== undefined) known.identity = identity;
  const customer =
    known ??
    addCustomer(sandbox, {
      name: newCustomerName(accountName(call)),
      domain,
      source: "imported",
      profile: { orgDisplayName: domain.split(".")[0] ?? domain, orgPostalAddress: { regionCode: "IN" } },
      identity,
    });
  return { body: customerBody(sandbox, customer), kind: "google.customer.import" };
}

function domainOfIdentity(sandbox: Sandbox, id = ""): string | undefined {
  return sandbox.state.google.identities[id]?.domain;
}

function provision(sandbox: Sandbox, call: Call): PreparedOperation {
  const customer = customerOf(sandbox, call);
  const { cloudIdentityInfo, user, validateOnly } = parse(provisioning, call.body);
  const { domain } = customer;
  if (customer.identity !== null) {
    throw identityOf(sandbox, customer) === undefined
      ? new GoogleError("FAILED_PRECONDITION", "The Cloud Identity is being provisioned already.")
      : new GoogleError("ALREADY_EXISTS", "The customer already has a Cloud Identity.");
  }
  if (foreignIdentity(sandbox, domain) !== undefined)
    throw new GoogleError("ALREADY_EXISTS", `The domain ${domain} already has a Cloud Identity.`);
  if (user !== undefined && user.email.split("@").at(-1)?.toLowerCase() !== domain)
    throw new GoogleError("INVALID_ARGUMENT", `The user's email is not of the domain ${domain}.`);
  if (user !== undefined && userByEmail(sandbox, user.email) !== undefined)
    throw new GoogleError("ALREADY_EXISTS", "The customer's primary email already exists.");

  const info = { customerType: "DOMAIN", ...cloudIdentityInfo, primaryDomain: domain };
  const id = identityIdOf(domain);
  const response = (): JsonObject => ({
    "@type": "type.googleapis.com/google.cloud.channel.v1.Customer",
    ...customerBody(sandbox, customer),
    cloudIdentityId: id,
    cloudIdentityInfo: info,
  });
  if (validateOnly) return { preview: response() };
  return {
    apply(operation) {
      customer.identity = { id, operation, info };
      // The first administrator. Provisioning takes no password: nobody can sign in until one is set.
      if (user !== undefined) {
        const { email: primaryEmail, givenName, familyName } = user;
        addUser(sandbox, { customerName: customer.name, primaryEmail, givenName, familyName, isAdmin: true });
      }
      return response();
    },
  };
}

/**
 * `domain="example.com"` or `cloud_identity_id="C..."`; anything else is refused, so that no typing error lists all customers.
 */
function customerFilter(sandbox: Sandbox, filter: string): (customer: GoogleCustomer) => boolean {
  if (filter.trim() === "") return () => true;
  const [, field, value = ""] = /^\s*(\w+)\s*[=:]\s*"?([^"]*)"?\s*$/.exec(filter) ?? [];
  const wanted = value.trim().toLowerCase();
  if (field === "domain") return (customer) => customer.domain === wanted;
  if (field === "cloud_identity_id" || field === "cloudIdentityId")
    return (customer) => identityOf(sandbox, customer)?.toLowerCase() === wanted;
  throw new GoogleError("INVALID_ARGUMENT", `Invalid filter: ${filter}`);
}

export function customerBody(sandbox: Sandbox, customer: GoogleCustomer): JsonObject {
  const { name, domain, profile, identity, createdAt } = customer;
  const id = identityOf(sandbox, customer);
  const time = new Date(createdAt).toISOString();
  return {
    ...profile,
    name,
    domain,
    createTime: time,
    updateTime: time,
    ...(id === undefined ? {} : { cloudIdentityId: id, cloudIdentityInfo: identity?.info }),
  };
}
