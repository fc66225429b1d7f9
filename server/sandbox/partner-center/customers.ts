/** Partner Center's customers: domains, addresses, creation, users, admin roles and the Microsoft Customer Agreement. */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { Agreement, Customer, PartnerUser } from "../state.ts";
import { at, generatedPassword, guid, guidOf, type JsonObject, jsonObject } from "../wire.ts";
import { base, type Call, customerOf, PartnerError, parse, read, text, write } from "./calls.ts";
import { tenantIdOf } from "./login.ts";

/** Global Administrator goes by its older name in this API. The ids are Microsoft's own. */
const roles = [
  { id: "62e90394-69f5-4237-9190-012177145e10", name: "Company Administrator" },
  { id: "b0f54661-2d74-4c50-afa3-1ec803f12efe", name: "Billing Administrator" },
  { id: "729827e3-9c14-49f7-bb1b-9608f156bbb8", name: "Helpdesk Administrator" },
] as const;

const agreementTemplate = {
  templateId: "117a77b0-9360-443b-8795-c6dedc750cf9",
  agreementType: "MicrosoftCustomerAgreement",
  agreementLink: "https://aka.ms/customeragreement",
  versionRank: 0,
} as const;

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

const newUser = z.object({
  usageLocation: z.string().length(2),
  userPrincipalName: z.email(),
  firstName: text,
  lastName: text,
  displayName: text,
  passwordProfile: z.object({
    password: z.string().min(8).max(256),
    forceChangePassword: z.boolean().default(false),
  }),
});

const newAgreement = z.object({
  primaryContact: z.object({
    firstName: text,
    lastName: text,
    email: z.email(),
    phoneNumber: z.string().nullish(),
  }),
  templateId: z.literal(agreementTemplate.templateId),
  dateAgreed: z.string().refine((date) => !Number.isNaN(Date.parse(date)), "is no date"),
  type: z.literal(agreementTemplate.agreementType),
});

const member = z.object({
  id: text,
  displayName: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
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
    ...userHandlers(sandbox),
    ...agreementHandlers(sandbox),
  ];
}

function userHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      at(`${base}/customers/:customerId/users`),
      read(sandbox, (call) => ({
        status: 200,
        body: list(usersOf(sandbox, customerOf(sandbox, call)).map(userBody)),
      })),
    ),
    http.get(
      at(`${base}/customers/:customerId/users/:userId`),
      read(sandbox, (call) => ({ status: 200, body: userBody(userOf(sandbox, call, call.param("userId"))) })),
    ),
    http.post(
      at(`${base}/customers/:customerId/users`),
      write(sandbox, "user.create", (call) => {
        const customer = customerOf(sandbox, call);
        const { passwordProfile, ...given } = parse(newUser, call.body);
        const name = given.userPrincipalName.toLowerCase();
        if (!name.endsWith(`@${customer.domain}`)) {
          throw new PartnerError(400, 2000, `The user name must end in @${customer.domain}.`);
        }
        if (usersOf(sandbox, customer).some((user) => user.userPrincipalName.toLowerCase() === name)) {
          throw new PartnerError(
            409,
            2001,
            "Another object with the same value for property userPrincipalName already exists.",
          );
        }
        const user = addUser(sandbox, { ...given, ...passwordProfile, customerId: customer.id, roles: [] });
        return { status: 201, body: userBody(user) };
      }),
    ),
    http.patch(
      at(`${base}/customers/:customerId/users/:userId`),
      write(sandbox, "user.update", (call) => {
        const user = userOf(sandbox, call, call.param("userId"));
        const { passwordProfile, ...given } = parse(newUser.partial(), call.body);
        Object.assign(user, given, passwordProfile);
        return { status: 200, body: userBody(user) };
      }),
    ),
    http.get(
      at(`${base}/customers/:customerId/directoryroles`),
      read(sandbox, (call) => {
        customerOf(sandbox, call);
        return {
          status: 200,
          body: list(roles.map((role) => ({ ...role, attributes: { objectType: "DirectoryRole" } }))),
        };
      }),
    ),
    http.get(
      at(`${base}/customers/:customerId/directoryroles/:roleId/usermembers`),
      read(sandbox, (call) => {
        const roleId = roleOf(call);
        const holders = usersOf(sandbox, customerOf(sandbox, call)).filter((user) =>
          user.roles.includes(roleId),
        );
        return { status: 200, body: list(holders.map((user) => memberBody(user, roleId))) };
      }),
    ),
    http.post(
      at(`${base}/customers/:customerId/directoryroles/:roleId/usermembers`),
      write(sandbox, "role.add", (call) => {
        const roleId = roleOf(call);
        const given = parse(member, withLowerCaseNames(call.body));
        const user = userOf(sandbox, call, given.id);
        if (!user.roles.includes(roleId)) user.roles.push(roleId);
        return { status: 201, body: memberBody(user, roleId) };
      }),
    ),
  ];
}

function agreementHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      at(`${base}/agreements`),
      read(sandbox, ({ query }) => {
        const asked = query.get("agreementType");
        const known = asked === null || asked === "*" || asked === agreementTemplate.agreementType;
        return { status: 200, body: list(known ? [agreementTemplate] : []) };
      }),
    ),
    http.get(
      at(`${base}/customers/:customerId/agreements`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        return {
          status: 200,
          body: list(
            sandbox.state.partner.agreements.filter((each) => each.customerId === id).map(agreementBody),
          ),
        };
      }),
    ),
    http.post(
      at(`${base}/customers/:customerId/agreements`),
      write(sandbox, "agreement.create", (call) => {
        const { id } = customerOf(sandbox, call);
        const given = parse(newAgreement, call.body);
        if (hasAgreement(sandbox, id)) {
          throw new PartnerError(409, 600061, "The customer has already accepted this agreement.");
        }
        const agreement = { ...given, customerId: id };
        sandbox.state.partner.agreements.push(agreement);
        return { status: 201, body: agreementBody(agreement) };
      }),
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

export function hasAgreement(sandbox: Sandbox, customerId: string): boolean {
  return sandbox.state.partner.agreements.some((each) => each.customerId === customerId);
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
    roles: [roles[0].id],
  });
  // The password is in this one answer and in no later one.
  const userCredentials = { userName: "admin", password: admin.password };
  return { status: 201, body: { ...customerBody(customer), userCredentials } };
}

function addUser(sandbox: Sandbox, given: Omit<PartnerUser, "id">): PartnerUser {
  const user: PartnerUser = { ...given, id: guid() };
  sandbox.state.partner.users[user.id] = user;
  return user;
}

function isPostalCode(country: string, code: string): boolean {
  if (country === "IN") return /^[1-9]\d{5}$/.test(code);
  if (country === "US") return /^\d{5}(-\d{4})?$/.test(code);
  return true;
}

function usersOf(sandbox: Sandbox, customer: Customer): PartnerUser[] {
  return Object.values(sandbox.state.partner.users).filter((user) => user.customerId === customer.id);
}

function userOf(sandbox: Sandbox, call: Call, userId: string): PartnerUser {
  const { id } = customerOf(sandbox, call);
  const user = sandbox.state.partner.users[userId.toLowerCase()];
  if (user === undefined || user.customerId !== id)
    throw new PartnerError(404, 60003, "The user was not found.");
  return user;
}

function roleOf(call: Call): string {
  const roleId = call.param("roleId").toLowerCase();
  if (!roles.some((role) => role.id === roleId))
    throw new PartnerError(404, 60003, "The directory role was not found.");
  return roleId;
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

function userBody(user: PartnerUser): JsonObject {
  const { password: _secret, roles: _roles, customerId: _customer, forceChangePassword, ...rest } = user;
  return {
    ...rest,
    passwordProfile: { password: "", forceChangePassword },
    userDomainType: "managed",
    state: "active",
    softDeletionTime: null,
    attributes: { objectType: "CustomerUser" },
  };
}

function memberBody({ id, displayName, userPrincipalName }: PartnerUser, roleId: string): JsonObject {
  return { id, displayName, userPrincipalName, roleId, attributes: { objectType: "UserMember" } };
}

function agreementBody({ customerId: _customer, ...agreement }: Agreement): JsonObject {
  return { ...agreement, agreementLink: agreementTemplate.agreementLink };
}

function list(items: readonly object[], totalCount = items.length): JsonObject {
  return { totalCount, items, attributes: { objectType: "Collection" } };
}

/** This one call is documented with capitals: `Id`, `DisplayName`. */
function withLowerCaseNames(body: unknown): JsonObject {
  const given = jsonObject.safeParse(body);
  if (!given.success) return {};
  return Object.fromEntries(
    Object.entries(given.data).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}
