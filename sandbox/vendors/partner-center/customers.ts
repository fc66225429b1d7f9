/** Partner Center's customers: domains, addresses and creation. */

import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { anyOrigin, generatedPassword, guidOf, type JsonObject } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Customer } from "../state-schemas.ts";
import {
  type Answer,
  base,
  customerOf,
  isTooNew,
  knownCustomerOf,
  list,
  PartnerError,
  parse,
  read,
  text,
  write,
  writeOnce,
} from "./calls.ts";
import { tenantIdOf } from "./login.ts";
import { partnerId } from "./partners.ts";
import { addUser, globalAdministrator } from "./users.ts";
import { addressToCheck, countryRules, validateAddress, validated } from "./validations.ts";

const address = z.object({
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  addressLine1: text,
  addressLine2: z.string().nullish(),
  city: text,
  state: z.string().max(2, "must be at most 2 characters").nullish(),
  postalCode: text,
  country: z.string().length(2),
  phoneNumber: z.string().nullish(),
});

const domainName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i,
    "must be a full domain such as contoso.onmicrosoft.com",
  );

const newCustomer = z.object({
  enableGDAPByDefault: z.boolean().optional(),
  companyProfile: z.object({ domain: domainName, organizationRegistrationNumber: z.string().nullish() }),
  billingProfile: z.object({
    email: z.email(),
    culture: text,
    language: text,
    companyName: text,
    defaultAddress: address.extend({ firstName: text, lastName: text }),
  }),
});

export function partnerCustomerHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.head(
      anyOrigin(`${base}/domains/:domain`),
      read(sandbox, (call) => {
        const domain = parse(domainName, call.param("domain"));
        return { status: isTaken(sandbox, domain) ? 200 : 404, body: undefined };
      }),
    ),
    http.post(
      anyOrigin(`${base}/validations/address`),
      read(sandbox, ({ body }) => ({ status: 200, body: validated(parse(addressToCheck, body)) })),
    ),
    http.get(
      anyOrigin(`${base}/countryvalidationrules/:country`),
      read(sandbox, (call) => ({ status: 200, body: countryRules(call.param("country")) })),
    ),
    http.post(
      anyOrigin(`${base}/customers`),
      write(sandbox, "customer.create", ({ body, partner }) => createCustomer(sandbox, body, partner)),
    ),
    http.get(
      anyOrigin(`${base}/customers`),
      read(sandbox, ({ query, partner }) => {
        const all = Object.values(sandbox.state.partner.customers)
          .filter(({ country }) => country === partner.country)
          .filter(customerFilter(query.get("filter")))
          .filter((customer) => !isTooNew(sandbox, customer));
        const items = all.slice(0, Number(query.get("size") ?? 100)).map(customerBody);
        return { status: 200, body: list(items, all.length) };
      }),
    ),
    http.get(
      anyOrigin(`${base}/customers/relationshiprequests`),
      read(sandbox, ({ origin, partner }) => ({
        status: 200,
        body: {
          url: `${origin}/partner-center/approve?invType=ResellerRelationship&partnerId=${partnerId(partner.tenant)}`,
          attributes: { objectType: "CustomerRelationshipRequest" },
        },
      })),
    ),
    // As in the integration sandbox; in production Microsoft deletes no customer.
    http.delete(
      anyOrigin(`${base}/customers/:customerId`),
      writeOnce(sandbox, "customer.delete", (call) => deleteCustomer(sandbox, customerOf(sandbox, call))),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId`),
      read(sandbox, (call) => ({ status: 200, body: customerBody(knownCustomerOf(sandbox, call)) })),
    ),
  ];
}

/** Whether a domain is taken: names starting `taken`, and those of customers created here. */
function isTaken(sandbox: Sandbox, domain: string): boolean {
  const name = domain.toLowerCase();
  return (
    name.startsWith("taken") ||
    Object.values(sandbox.state.partner.customers).some((each) => each.domain === name)
  );
}

/** Adds a customer outside the API: accepted on the partner page, or added by a test or the demo data. */
export function addCustomer(
  sandbox: Sandbox,
  given: {
    domain: string;
    source: Customer["source"];
    country: string;
    id?: string | undefined;
    companyName?: string | undefined;
    gdap?: boolean;
  },
): Customer {
  const domain = given.domain.toLowerCase();
  const id = given.id?.toLowerCase() ?? tenantIdOf(domain);
  const known = sandbox.state.partner.customers[id];
  if (known !== undefined) return known;
  const customer: Customer = {
    id,
    commerceId: guidOf(`commerce ${id}`),
    domain,
    source: given.source,
    country: given.country,
    organizationRegistrationNumber: "",
    gdap: given.gdap ?? false,
    billingProfile: { companyName: given.companyName ?? domain.split(".")[0] ?? domain },
    createdAt: sandbox.now(),
  };
  sandbox.state.partner.customers[id] = customer;
  return customer;
}

/** Formats of registration numbers, for the countries that have them. */
const registrationForms: Readonly<Record<string, RegExp>> = { IN: /^[A-Z]{5}[0-9]{4}[A-Z]$/ };

/** @throws PartnerError, as Microsoft does for a missing, malformed or unwanted number, and for a missing phone */
function checkRegistration(country: string, number: string | undefined, phone: string | undefined): void {
  const form = registrationForms[country];
  if (form === undefined) {
    if (number !== undefined)
      throw new PartnerError(400, 600002, "Organization registration ID value isn't supported.");
    return;
  }
  if (number === undefined)
    throw new PartnerError(400, 600049, "Organization registration ID information is missing.");
  if (!form.test(number)) {
    throw new PartnerError(
      400,
      600050,
      `Organization registration ID information is invalid and should be of the format ${form.source}.`,
    );
  }
  if (phone === undefined) throw new PartnerError(400, 600051, "Customer phone number is missing.");
}

function createCustomer(sandbox: Sandbox, body: unknown, partner: Partner) {
  const { companyProfile, billingProfile, enableGDAPByDefault } = parse(newCustomer, body);
  const { country, firstName, lastName, phoneNumber } = billingProfile.defaultAddress;
  if (country !== partner.country)
    throw new PartnerError(403, 2030, "Partner isn't onboarded to sell in country/region.");
  const registration = companyProfile.organizationRegistrationNumber?.trim() || undefined;
  checkRegistration(country, registration, phoneNumber?.trim() || undefined);
  // The codes of the next two are not documented.
  if (validateAddress(billingProfile.defaultAddress).status === "None")
    throw new PartnerError(400, 3000, "The address is not valid.");
  if (isTaken(sandbox, companyProfile.domain)) {
    throw new PartnerError(409, 3000, `The domain ${companyProfile.domain} is not available.`);
  }
  const customer = addCustomer(sandbox, { domain: companyProfile.domain, source: "created", country });
  customer.organizationRegistrationNumber = registration ?? "";
  customer.billingProfile = billingProfile;
  customer.gdap = enableGDAPByDefault === true;
  const admin = addUser(sandbox, {
    customerId: customer.id,
    userPrincipalName: `admin@${customer.domain}`,
    displayName: `${firstName} ${lastName}`,
    firstName,
    lastName,
    usageLocation: country,
    password: generatedPassword(),
    forceChangePassword: true,
    roles: [globalAdministrator.id],
  });
  // Only this response contains the password.
  const userCredentials = { userName: "admin", password: admin.password };
  return { status: 201, body: { ...customerBody(customer), userCredentials } };
}

/** `{"Field":"Domain","Value":"con","Operator":"starts_with"}`; a filter on another field finds nothing. */
function customerFilter(filter: string | null): (customer: Customer) => boolean {
  if (filter === null || filter === "") return () => true;
  const shape = z.object({ Field: z.string(), Value: z.string() });
  let given: unknown;
  try {
    given = JSON.parse(filter);
  } catch {
    throw new PartnerError(400, 2000, "The filter is not JSON.");
  }
  const { Field, Value } = parse(shape, given);
  const start = Value.toLowerCase();
  if (Field === "Domain") return (customer) => customer.domain.startsWith(start);
  if (Field === "CompanyName") return (customer) => companyName(customer).toLowerCase().startsWith(start);
  return () => false;
}

function companyName(customer: Customer): string {
  return String(customer.billingProfile.companyName ?? "");
}

function customerBody(customer: Customer): JsonObject {
  return {
    id: customer.id,
    commerceId: customer.commerceId,
    companyProfile: {
      tenantId: customer.id,
      domain: customer.domain,
      companyName: companyName(customer),
      organizationRegistrationNumber: customer.organizationRegistrationNumber,
      attributes: { objectType: "CustomerCompanyProfile" },
    },
    billingProfile: { id: guidOf(`billing ${customer.id}`), ...customer.billingProfile },
    relationshipToPartner: "reseller",
    allowDelegatedAccess: true,
    customDomains: [customer.domain],
    attributes: { objectType: "Customer" },
  };
}

/** Deletes a customer with all its data. @throws PartnerError for one who still has subscriptions */
function deleteCustomer(sandbox: Sandbox, { id }: Customer): Answer {
  const { partner } = sandbox.state;
  const held = Object.values(partner.subscriptions).filter(({ customerId }) => customerId === id);
  if (held.some(({ status }) => status === "active" || status === "suspended"))
    throw new PartnerError(400, 2000, "The customer has active subscriptions.");
  for (const { id: subscription } of held) delete partner.subscriptions[subscription];
  for (const user of Object.values(partner.users)) if (user.customerId === id) delete partner.users[user.id];
  partner.agreements = partner.agreements.filter(({ customerId }) => customerId !== id);
  delete partner.customers[id];
  return { status: 204, body: undefined };
}
