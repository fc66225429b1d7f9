/** Partner Center's customers: domains, addresses and creation. */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { Customer } from "../state.ts";
import { at, generatedPassword, guidOf, type JsonObject } from "../wire.ts";
import { base, customerOf, list, PartnerError, parse, read, text, write } from "./calls.ts";
import { tenantIdOf } from "./login.ts";
import { addUser, globalAdministrator } from "./users.ts";

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
      at(`${base}/domains/:domain`),
      read(sandbox, (call) => {
        const domain = parse(domainName, call.param("domain"));
        return { status: isTaken(sandbox, domain) ? 200 : 404, body: undefined };
      }),
    ),
    http.post(
      at(`${base}/validations/address`),
      read(sandbox, ({ body }) => {
        const given = parse(address, body);
        if (!isPostalCode(given.country, given.postalCode)) {
          throw new PartnerError(
            400,
            2000,
            `The postal code ${given.postalCode} is not valid in ${given.country}.`,
          );
        }
        const answer = {
          originalAddress: given,
          suggestedAddresses: [],
          status: "VerifiedShippable",
          validationMessage: null,
        };
        return { status: 200, body: answer };
      }),
    ),
    http.post(
      at(`${base}/customers`),
      write(sandbox, "customer.create", ({ body }) => createCustomer(sandbox, body)),
    ),
    http.get(
      at(`${base}/customers`),
      read(sandbox, ({ query }) => {
        const all = Object.values(sandbox.state.partner.customers).filter(
          customerFilter(query.get("filter")),
        );
        const items = all.slice(0, Number(query.get("size") ?? 100)).map(customerBody);
        return { status: 200, body: list(items, all.length) };
      }),
    ),
    http.get(
      at(`${base}/customers/relationshiprequests`),
      read(sandbox, ({ origin }) => ({
        status: 200,
        body: {
          url: `${origin}/partner-center/approve?invType=ResellerRelationship`,
          attributes: { objectType: "CustomerRelationshipRequest" },
        },
      })),
    ),
    http.get(
      at(`${base}/customers/:customerId`),
      read(sandbox, (call) => ({ status: 200, body: customerBody(customerOf(sandbox, call)) })),
    ),
  ];
}

/** Taken: names starting `taken`, and those of customers made here. */
function isTaken(sandbox: Sandbox, domain: string): boolean {
  const name = domain.toLowerCase();
  return (
    name.startsWith("taken") ||
    Object.values(sandbox.state.partner.customers).some((each) => each.domain === name)
  );
}

/** A customer by another way than the API: accepted on the partner page, or put there by a test or the demo data. */
export function addCustomer(
  sandbox: Sandbox,
  given: {
    domain: string;
    source: Customer["source"];
    id?: string | undefined;
    companyName?: string | undefined;
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
    organizationRegistrationNumber: "",
    billingProfile: { companyName: given.companyName ?? domain.split(".")[0] ?? domain },
    createdAt: sandbox.now(),
  };
  sandbox.state.partner.customers[id] = customer;
  return customer;
}

function createCustomer(sandbox: Sandbox, body: unknown) {
  const { companyProfile, billingProfile } = parse(newCustomer, body);
  const { country, postalCode, firstName, lastName } = billingProfile.defaultAddress;
  const registration = companyProfile.organizationRegistrationNumber ?? "";
  if (country === "IN" && registration.trim() === "") {
    throw new PartnerError(400, 600051, "The organization registration number is required in this country.");
  }
  if (!isPostalCode(country, postalCode)) throw new PartnerError(400, 600050, "The address is not valid.");
  if (isTaken(sandbox, companyProfile.domain)) {
    throw new PartnerError(409, 600049, `The domain ${companyProfile.domain} is not available.`);
  }
  const customer = addCustomer(sandbox, { domain: companyProfile.domain, source: "created" });
  customer.organizationRegistrationNumber = registration;
  customer.billingProfile = billingProfile;
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
  // The password is in this one answer and in no later one.
  const userCredentials = { userName: "admin", password: admin.password };
  return { status: 201, body: { ...customerBody(customer), userCredentials } };
}

function isPostalCode(country: string, code: string): boolean {
  if (country === "IN") return /^[1-9]\d{5}$/.test(code);
  if (country === "US") return /^\d{5}(-\d{4})?$/.test(code);
  return true;
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
