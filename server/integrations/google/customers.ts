/** Customers of the reseller: check a domain; create, find or import a customer; give it a Cloud Identity. */
import { z } from "zod";
import { withKind } from "../errors.ts";
import { pathOf } from "../http.ts";
import { type Api, allPages, resourcePath } from "./api.ts";
import type { GoogleConfig } from "./config.ts";
import { googleError, readReply } from "./errors.ts";
import { operationOf } from "./operations.ts";

export interface DomainCheck {
  /**
   * 0: Google has no account for this domain; 1: it is our customer's; 2: it belongs to another reseller's customer, or to
   * Google's.
   */
  status: 0 | 1 | 2;
  /** Id of the account, needed for a transfer. Absent for status 0. */
  customerCloudIdentityId: string | undefined;
  /** Our customer: `accounts/{a}/customers/{c}`. Present for status 1 only. */
  customerName: string | undefined;
}

export interface NewGoogleCustomer {
  /** The buyer's own domain: `contoso.com`. */
  domain: string;
  orgDisplayName: string;
  address: {
    /** ISO 3166 two-letter code. */
    regionCode: string;
    postalCode: string;
    /** State or province. */
    administrativeArea: string;
    locality: string;
    addressLines: readonly string[];
  };
  /**
   * `email` is in `domain`, and becomes the user name of the first administrator (Cloud Channel's reference): a buyer's
   * private address is refused with INVALID_ARGUMENT.
   */
  contact: { firstName: string; lastName: string; email: string; phone: string };
  /** Address outside `domain`, for the time before its mail works. */
  alternateEmail: string;
  /** BCP 47: "en-IN". */
  languageCode: string;
}

export interface GoogleCustomer {
  /** Resource name for all other calls: `accounts/{a}/customers/{c}`. */
  name: string;
  domain: string | undefined;
  /** Absent until a Cloud Identity is provisioned or imported. */
  cloudIdentityId: string | undefined;
}

/** "exists": one of our customers already has the domain. Check that it is this buyer's before using it. */
export interface CreateGoogleCustomerResult extends GoogleCustomer {
  outcome: "created" | "exists";
}

export interface CloudIdentityRequest {
  alternateEmail: string;
  phoneNumber: string;
  languageCode: string;
  /** The first administrator, whose `email` is in the customer's domain. The password is set afterwards: ensureUser. */
  user: { email: string; givenName: string; familyName: string };
}

export interface CustomerImport {
  domain: string;
  /** Transfer token from the customer's administrator, valid for 14 days. */
  authToken: string;
  /** Needed when we have a customer of this domain with different data. */
  overwriteIfExists: boolean;
}

export interface CustomerCalls {
  checkDomain(domain: string): Promise<DomainCheck>;
  createCustomer(customer: NewGoogleCustomer): Promise<CreateGoogleCustomerResult>;
  findCustomerByDomain(domain: string): Promise<GoogleCustomer | null>;
  getCustomer(name: string): Promise<GoogleCustomer>;
  provisionCloudIdentity(customer: string, request: CloudIdentityRequest): Promise<string>;
  importCustomer(request: CustomerImport): Promise<GoogleCustomer>;
}

const checkReply = z.object({
  // Google omits empty and false fields.
  cloudIdentityAccounts: z
    .array(
      z.object({
        existing: z.boolean().default(false),
        owned: z.boolean().default(false),
        customerName: z.string().optional(),
        customerCloudIdentityId: z.string().optional(),
        customerType: z.string().optional(),
      }),
    )
    .default([]),
});

/** A customer in Google's format, and the response of a provisioning operation. */
export const customerResult = z
  .object({
    name: z.string().regex(/^accounts\/[^/]+\/customers\/[^/]+$/),
    domain: z.string().optional(),
    cloudIdentityId: z.string().optional(),
  })
  .transform(
    (wire): GoogleCustomer => ({
      name: wire.name,
      domain: wire.domain || undefined,
      cloudIdentityId: wire.cloudIdentityId || undefined,
    }),
  );

const listReply = z.object({
  customers: z.array(customerResult).default([]),
  nextPageToken: z.string().optional(),
});

export function customerCalls(api: Api, config: GoogleConfig): CustomerCalls {
  const customersPath = pathOf`/v1/accounts/${config.accountId}/customers`;

  async function findCustomerByDomain(domain: string): Promise<GoogleCustomer | null> {
    const filter = `domain = ${JSON.stringify(domain)}`;
    const found = await allPages(`GET ${customersPath}`, async (page) => {
      const query = { pageSize: "50", filter, ...page };
      const reply = readReply(
        await api({ api: "channel", method: "GET", path: customersPath, query }),
        listReply,
      );
      return { items: reply.customers, nextPageToken: reply.nextPageToken };
    });
    // Compared again here: a server that ignores the filter must not give us another buyer's tenant.
    const wanted = domain.toLowerCase();
    const ours = found.filter((customer) => customer.domain?.toLowerCase() === wanted);
    return ours.find((customer) => customer.cloudIdentityId !== undefined) ?? ours[0] ?? null;
  }

  return {
    /**
     * `POST /v1/accounts/{a}:checkCloudIdentityAccountsExist`: none existing is 0, one of ours 1, else 2.
     * @throws ProviderError; refused with INVALID_ARGUMENT for text that Google does not accept as a domain.
     */
    async checkDomain(domain) {
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${pathOf`/v1/accounts/${config.accountId}`}:checkCloudIdentityAccountsExist`,
        json: { domain },
      });
      const existing = readReply(answer, checkReply).cloudIdentityAccounts.filter((one) => one.existing);
      const ours = existing.filter((one) => one.owned);
      const those = ours.length > 0 ? ours : existing;
      // In addition to the domain's owner there may be team accounts, which have only verified an address in it.
      const account = those.find((one) => one.customerType === "DOMAIN") ?? those[0];
      if (account === undefined)
        return { status: 0, customerCloudIdentityId: undefined, customerName: undefined };
      return {
        status: account.owned ? 1 : 2,
        customerCloudIdentityId: account.customerCloudIdentityId || undefined,
        customerName: account.owned ? account.customerName || undefined : undefined,
      };
    },

    /**
     * `POST /v1/accounts/{a}/customers`. It takes no request id, and Google is not documented to refuse a second customer of one
     * domain: before repeating a call whose response was lost, use findCustomerByDomain.
     * @throws ProviderError; transient when Google returns ALREADY_EXISTS but does not list it yet.
     */
    async createCustomer(customer) {
      const { address, contact } = customer;
      const answer = await api({
        api: "channel",
        method: "POST",
        path: customersPath,
        json: {
          orgDisplayName: customer.orgDisplayName,
          orgPostalAddress: {
            regionCode: address.regionCode,
            postalCode: address.postalCode,
            administrativeArea: address.administrativeArea,
            locality: address.locality,
            addressLines: address.addressLines,
          },
          primaryContactInfo: {
            firstName: contact.firstName,
            lastName: contact.lastName,
            email: contact.email,
            phone: contact.phone,
          },
          alternateEmail: customer.alternateEmail,
          domain: customer.domain,
          languageCode: customer.languageCode,
        },
      });
      if (answer.status >= 400) {
        const error = googleError(answer);
        if (error.code !== "ALREADY_EXISTS") throw error;
        const found = await findCustomerByDomain(customer.domain);
        if (found === null) throw withKind(error, "transient", answer.call);
        return { outcome: "exists", ...found };
      }
      return { outcome: "created", ...readReply(answer, customerResult) };
    },

    /**
     * Finds our customer with exactly this domain (`customers.list` with a filter, at most 24 calls a minute for the whole
     * project). If there are two, the one with a Cloud Identity. A new customer appears only after some seconds (Cloud Channel's
     * filter guide).
     * @throws ProviderError
     */
    findCustomerByDomain,

    /**
     * `GET /v1/{customer}`: shows after a lost response to provisioning whether the customer has a Cloud Identity. @throws
     * ProviderError
     */
    async getCustomer(name) {
      return readReply(
        await api({ api: "channel", method: "GET", path: resourcePath("customer", name) }),
        customerResult,
      );
    },

    /**
     * `POST /v1/{customer}:provisionCloudIdentity`. Returns the operation's name; its result is customerResult. It takes no
     * request id: after a lost response, check with getCustomer first.
     * @throws ProviderError; refused with ALREADY_EXISTS when the administrator's address is taken.
     */
    async provisionCloudIdentity(customer, request) {
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${resourcePath("customer", customer)}:provisionCloudIdentity`,
        json: {
          cloudIdentityInfo: {
            customerType: "DOMAIN",
            alternateEmail: request.alternateEmail,
            phoneNumber: request.phoneNumber,
            languageCode: request.languageCode,
          },
          user: {
            email: request.user.email,
            givenName: request.user.givenName,
            familyName: request.user.familyName,
          },
        },
      });
      return operationOf(answer);
    },

    /**
     * `POST /v1/accounts/{a}/customers:import`: makes a domain's owner our customer, authorised by its transfer token.
     * Repeating it with `overwriteIfExists` gives the same customer.
     * @throws ProviderError; isTransferTokenRefused detects a bad token; NOT_FOUND: the domain has no account.
     */
    async importCustomer(request) {
      const answer = await api({
        api: "channel",
        method: "POST",
        path: `${customersPath}:import`,
        json: {
          domain: request.domain,
          authToken: request.authToken,
          overwriteIfExists: request.overwriteIfExists,
        },
        secrets: [request.authToken],
      });
      return readReply(answer, customerResult);
    },
  };
}
