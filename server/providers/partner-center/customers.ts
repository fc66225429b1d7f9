/** Customers of the partner: is a domain free, create or find a tenant, its relationship to us, its agreement. */
import { z } from "zod";
import { assertSuccess, baseOf, errorOf, pathOf, readAnswer, send } from "../http.ts";
import type { Api } from "./api.ts";
import type { PartnerCenterConfig } from "./config.ts";

export interface NewCustomer {
  /** The full domain: `contoso.onmicrosoft.com`. */
  domain: string;
  /** Required in India. */
  organizationRegistrationNumber?: string | undefined;
  email: string;
  /** "en-IN". */
  culture: string;
  /** "en". */
  language: string;
  companyName: string;
  address: {
    firstName: string;
    lastName: string;
    addressLine1: string;
    addressLine2?: string | undefined;
    city: string;
    /** At most 2 characters, says Microsoft: the state's code, not its name. */
    state: string;
    postalCode: string;
    /** ISO 3166 two-letter code. */
    country: string;
    phoneNumber: string;
  };
}

export interface CreatedCustomer {
  tenantId: string;
  domain: string;
  /** The first administrator Microsoft made up, without its domain. Shown by Microsoft this once. */
  adminUserName: string;
  adminPassword: string;
}

export type Relationship = "reseller" | "none";

export interface AgreementContact {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
}

export interface CustomerCalls {
  isDomainAvailable(fullDomain: string): Promise<boolean>;
  createCustomer(customer: NewCustomer, requestId: string): Promise<CreatedCustomer>;
  findCustomerByDomain(domain: string): Promise<{ tenantId: string } | null>;
  getRelationship(tenantId: string): Promise<Relationship>;
  relationshipRequestUrl(): Promise<string>;
  ensureAgreement(
    tenantId: string,
    contact: AgreementContact,
    dateAgreed: Date,
    requestId: string,
  ): Promise<void>;
  tenantIdOfDomain(domain: string): Promise<string | null>;
}

const createdReply = z.object({
  id: z.string().min(1),
  companyProfile: z.object({ domain: z.string().nullish() }).nullish(),
  userCredentials: z.object({ userName: z.string().min(1), password: z.string().min(1) }),
});

const customersReply = z.object({
  items: z.array(
    z.object({ id: z.string().min(1), companyProfile: z.object({ domain: z.string().nullish() }).nullish() }),
  ),
});

const customerReply = z.object({ relationshipToPartner: z.string().nullish() });

const relationshipReply = z.object({ url: z.url({ protocol: /^https?$/ }) });

const templatesReply = z.object({
  items: z.array(z.object({ templateId: z.string().min(1), versionRank: z.number().nullish() })).min(1),
});

const discoveryReply = z.object({ issuer: z.string() });

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

interface AgreementTemplate {
  templateId: string;
  versionRank?: number | null | undefined;
}

/** "This customer already has this agreement": what we wanted. */
const agreementExists = "600061";

export function customerCalls(api: Api, config: PartnerCenterConfig): CustomerCalls {
  return {
    /** `HEAD /v1/domains/{domain}`: 404 is free, 200 is taken. @throws ProviderError */
    async isDomainAvailable(fullDomain) {
      const answer = await api({ method: "HEAD", path: pathOf`/v1/domains/${fullDomain}` });
      if (answer.status === 404) return true;
      assertSuccess(answer);
      return false;
    },

    /**
     * `POST /v1/customers`: a new tenant. Codes a caller may meet: 600049, 600050, 600051.
     * @throws ProviderError
     */
    async createCustomer(customer, requestId) {
      const { address } = customer;
      const answer = await api({
        method: "POST",
        path: "/v1/customers",
        requestId,
        json: {
          companyProfile: {
            domain: customer.domain,
            organizationRegistrationNumber: customer.organizationRegistrationNumber,
          },
          billingProfile: {
            email: customer.email,
            culture: customer.culture,
            language: customer.language,
            companyName: customer.companyName,
            defaultAddress: {
              firstName: address.firstName,
              lastName: address.lastName,
              addressLine1: address.addressLine1,
              addressLine2: address.addressLine2,
              city: address.city,
              state: address.state,
              postalCode: address.postalCode,
              country: address.country,
              phoneNumber: address.phoneNumber,
            },
          },
        },
      });
      const created = readAnswer(answer, createdReply);
      return {
        tenantId: created.id,
        domain: created.companyProfile?.domain ?? customer.domain,
        adminUserName: created.userCredentials.userName,
        adminPassword: created.userCredentials.password,
      };
    },

    /**
     * Our customer with exactly this domain: how a tenant is found again when the reply to createCustomer was lost.
     * The `Domain` filter field is not documented, so the answer is compared here as well.
     * @throws ProviderError
     */
    async findCustomerByDomain(domain) {
      const filter = JSON.stringify({ Field: "Domain", Value: domain, Operator: "starts_with" });
      const answer = await api({ method: "GET", path: "/v1/customers", query: { size: "50", filter } });
      const wanted = domain.toLowerCase();
      const match = readAnswer(answer, customersReply).items.find(
        (customer) => customer.companyProfile?.domain?.toLowerCase() === wanted,
      );
      return match === undefined ? null : { tenantId: match.id };
    },

    /**
     * `GET /v1/customers/{tenantId}`: whether the tenant has accepted us. Before that Microsoft knows no such customer
     * (404, 60003) or does not let us see it (403, 20002). Any other 403 is our own permission missing: an error.
     * @throws ProviderError
     */
    async getRelationship(tenantId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}` });
      if (answer.status === 404) return "none";
      if (answer.status === 403 && errorOf(answer).code === "20002") return "none";
      const { relationshipToPartner } = readAnswer(answer, customerReply);
      return relationshipToPartner?.toLowerCase() === "reseller" ? "reseller" : "none";
    },

    /** The partner's generic approval link; the same for every customer. @throws ProviderError */
    async relationshipRequestUrl() {
      const answer = await api({ method: "GET", path: "/v1/customers/relationshiprequests" });
      return readAnswer(answer, relationshipReply).url;
    },

    /**
     * Records that the customer accepted the Microsoft Customer Agreement, without which a purchase is refused (403,
     * 13605). Already recorded is success.
     * @throws ProviderError
     */
    async ensureAgreement(tenantId, contact, dateAgreed, requestId) {
      const templates = await api({
        method: "GET",
        path: "/v1/agreements",
        query: { agreementType: "MicrosoftCustomerAgreement" },
      });
      const answer = await api({
        method: "POST",
        path: pathOf`/v1/customers/${tenantId}/agreements`,
        requestId,
        json: {
          primaryContact: {
            firstName: contact.firstName,
            lastName: contact.lastName,
            email: contact.email,
            phoneNumber: contact.phoneNumber,
          },
          templateId: newestTemplate(readAnswer(templates, templatesReply).items),
          dateAgreed: dateAgreed.toISOString(),
          type: "MicrosoftCustomerAgreement",
        },
      });
      if (answer.status >= 400 && errorOf(answer).code === agreementExists) return;
      assertSuccess(answer);
    },

    /**
     * The tenant that owns a domain, from the issuer of its public sign-in metadata; null when no tenant owns it. Needs
     * no token and no relationship.
     * @throws ProviderError
     */
    async tenantIdOfDomain(domain) {
      const answer = await send({
        provider: "microsoft",
        method: "GET",
        url: baseOf(config.loginUrl) + pathOf`/${domain}/v2.0/.well-known/openid-configuration`,
        timeoutMs: config.timeoutMs,
        onCall: config.onCall,
      });
      if (answer.status === 400 && errorOf(answer).code === "invalid_tenant") return null;
      const found = guid.exec(readAnswer(answer, discoveryReply).issuer);
      return found === null ? null : found[0].toLowerCase();
    },
  };
}

/** Microsoft lists every version of its agreement that was ever valid; the highest rank is today's. */
function newestTemplate(templates: readonly AgreementTemplate[]): string | undefined {
  return templates.toSorted((a, b) => (b.versionRank ?? 0) - (a.versionRank ?? 0))[0]?.templateId;
}
