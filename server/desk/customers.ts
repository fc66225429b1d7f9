/** Companies for staff: the search, and one company with all data stored about it. */

import type { Address, Customer } from "#db/accounts/customers.ts";
import { readAwaitedTransfers } from "#db/billing/proformas.ts";
import {
  type CompanyPerson,
  type DocumentOfCustomer,
  type LinkedTenant,
  listDocumentsOfCustomer,
  listLinkedTenants,
  listOrdersOfCustomer,
  listPeople,
  listSubscriptionsWithVendorState,
  type SubscriptionWithVendorState,
} from "#db/desk/customer-details.ts";
import {
  type FoundCustomer,
  findCustomers,
  type GstinTwin,
  listGstinTwins,
} from "#db/desk/customer-search.ts";
import type { CustomerId, OrderId, SubscriptionId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { LicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Db } from "#db/tables/index.ts";
import { type TaxDetails, taxDetailsOf } from "#server/accounts/company-profile.ts";
import { findCustomer, listAddresses } from "#server/accounts/customers.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { csvHeader, csvLine } from "#server/foundation/csv.ts";
import { notFound } from "#server/foundation/errors.ts";
import { standardLanguage } from "#server/foundation/languages/language.ts";
import { type ListOrder, type ListPage, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import { readRenewalChoices } from "#server/orders/renewal-choice.ts";
import { renewalChoiceText } from "#server/orders/renewal-choice-text.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { licencesInUse, licencesInUseText } from "#server/orders/subscriptions/licences-in-use.ts";
import { type AuditEntryView, readAuditOf } from "./audit.ts";
import {
  orderKindLabels,
  orderStateText,
  orderStateTone,
  type StateTone,
  subscriptionStateTones,
} from "./labels.ts";
import { documentStateLabels, documentStateTones } from "./lists/documents.ts";

/** Largest number of rows in a file. For more, staff narrow the search. */
const maxFileRows = 20_000;
/** Largest number of rows in each list on a company's page. */
const maxShown = 50;

/** Columns that companies can be sorted by. */
export const sortableCustomerColumns = ["since", "name"] as const;

interface CustomerSearchQuery {
  search: string | null;
  page: string | null;
  order: ListOrder<(typeof sortableCustomerColumns)[number]>;
}

/**
 * Lists all companies, or those that match a search: a GSTIN, an email, an order's, an invoice's or a credit note's number, or
 * the beginning of a name or a domain.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function searchCustomers(
  db: Db,
  { search, page, order }: CustomerSearchQuery,
): Promise<ListPage<FoundCustomer>> {
  const query = parsePageQuery({ search: search ?? undefined, page: page ?? undefined });
  return listPage(await findCustomers(db, { ...query, order, number: numberIn(query.search) }));
}

/** Returns the companies as comma-separated values, with a header line. @throws DomainError bad_request for an invalid search */
export async function customersFile(db: Db, search: string | null): Promise<string> {
  const query = parsePageQuery({ search: search ?? undefined });
  const { rows } = await findCustomers(db, {
    search: query.search,
    number: numberIn(query.search),
    after: null,
    limit: maxFileRows,
  });
  const lines = rows.map(({ id, name, country, gstin, owner, subscriptions, orders, createdAt }) =>
    csvLine([
      id,
      name,
      country,
      gstin ?? "",
      owner ?? "",
      String(subscriptions),
      String(orders),
      createdAt.toISOString(),
    ]),
  );
  const titles = [
    "id",
    "company",
    "country",
    "gstin",
    "owner",
    "running_subscriptions",
    "paid_orders",
    "since",
  ];
  return [csvHeader(titles), ...lines].join("");
}

const numberIn = (search: string | null) => (search === null ? null : readOrderNumber(search));

/** A value in our database next to the vendor's last one. */
export interface ComparedValue {
  ours: string;
  /** Null when the vendor has not reported it. */
  theirs: string | null;
  differs: boolean;
}

export interface SubscriptionComparison {
  id: SubscriptionId;
  name: string;
  domain: string;
  seats: ComparedValue;
  until: ComparedValue;
  state: ComparedValue;
  /** Tone of our state. */
  tone: StateTone;
  /** Time of the vendor's last response; null for a family without a vendor, and before the first one. */
  readAt: Date | null;
  /** Whether the family has a vendor. */
  hasVendor: boolean;
  /** Number of assigned licences, formatted; null when the vendor does not report it. */
  inUse: string | null;
  /** The company's renewal choice, and who made it; null before there is one. */
  renewal: { words: string; by: string } | null;
}

export interface CustomerView {
  customer: Customer;
  countryName: string;
  twins: GstinTwin[];
  addresses: Address[];
  /** Tax that the company states it withholds. */
  tax: TaxDetails;
  people: CompanyPerson[];
  tenants: LinkedTenant[];
  subscriptions: SubscriptionComparison[];
  orders: {
    id: OrderId;
    number: string;
    createdAt: Date;
    what: string;
    total: string;
    state: string;
    tone: StateTone;
  }[];
  documents: (Pick<DocumentOfCustomer, "number" | "kind" | "issuedAt" | "orderId"> & {
    order: string;
    total: string;
    /** Null for a document that is not registered. */
    registration: { words: string; tone: StateTone } | null;
  })[];
  acts: AuditEntryView[];
}

/** @throws DomainError not_found */
export async function readCustomer(db: Db, id: CustomerId): Promise<CustomerView> {
  const customer = await findCustomer(db, id);
  if (customer === null) throw notFound("company");
  const [tax, addresses, twins, people, tenants, subscriptions, orders, documents, acts] = await Promise.all([
    taxDetailsOf(db, id),
    listAddresses(db, id),
    listGstinTwins(db, id),
    listPeople(db, id),
    listLinkedTenants(db, id),
    listSubscriptionsWithVendorState(db, id, maxShown),
    listOrdersOfCustomer(db, id, maxShown),
    listDocumentsOfCustomer(db, id, maxShown),
    readAuditOf(db, `customer:${id}`),
  ]);
  const orderIds = orders.map((order) => order.id);
  const [choices, inUse, awaited] = await Promise.all([
    readRenewalChoices(db, subscriptions),
    licencesInUse(db, subscriptions),
    readAwaitedTransfers(db, orderIds),
  ]);
  return {
    customer,
    countryName: countries[customer.country].words[standardLanguage].name,
    addresses,
    tax,
    twins,
    people,
    tenants,
    subscriptions: subscriptions.map((subscription) => ({
      ...figuresOf(customer, subscription),
      inUse: usedOf(customer, inUse.get(subscription.id)),
      renewal: renewalOf(customer, choices.get(subscription.id), people),
    })),
    orders: orders.map((order) => ({
      id: order.id,
      number: orderNumber(order),
      createdAt: order.createdAt,
      what: `${order.item} × ${order.quantity}, ${orderKindLabels[order.kind]}`,
      total: formatMoney(money(order.totalMinor, order.currency)),
      state: orderStateText({ ...order, awaitsTransfer: awaited.has(order.id) }),
      tone: orderStateTone(order),
    })),
    documents: documents.map(
      ({ orderNumber: number, orderBegun: createdAt, totalMinor, currency, registration, ...document }) => ({
        ...document,
        registration: registration && {
          words: documentStateLabels[registration],
          tone: documentStateTones[registration],
        },
        order: orderNumber({ number, createdAt }),
        total: formatMoney(money(totalMinor, currency)),
      }),
    ),
    acts,
  };
}

function usedOf({ country }: Pick<Customer, "country">, inUse: LicencesInUse | undefined): string | null {
  return inUse === undefined ? null : licencesInUseText(inUse, country, standardLanguage);
}

function renewalOf(
  { country }: Pick<Customer, "country">,
  choice: RenewalChoice | undefined,
  people: readonly CompanyPerson[],
): SubscriptionComparison["renewal"] {
  if (choice === undefined) return null;
  const email = people.find(({ userId }) => userId === choice.chosenBy)?.email ?? "a former member";
  return {
    words: renewalChoiceText(choice, country, standardLanguage),
    by: choice.byLink ? `${email}, by an emailed link` : email,
  };
}

/** Compares our running term with the vendor's. A renewal that is paid already reaches the vendor only when its term begins. */
function figuresOf(
  { country }: Pick<Customer, "country">,
  row: SubscriptionWithVendorState,
): Omit<SubscriptionComparison, "renewal" | "inUse"> {
  const { id, name, domain, quantity, end, nextEnd, says, family } = row;
  const day = (date: Date) => formatDate(date, country);
  const state = row.status === "active" && row.isSuspended ? "suspended" : row.status;
  const theirState = says === null ? null : says.isThere ? says.state : "not found";
  // A subscription that has ended on both sides cannot differ.
  const isCompared = row.status === "active" || theirState === "active";
  return {
    id,
    name,
    domain,
    seats: figure(
      String(quantity),
      says?.quantity == null ? null : String(says.quantity),
      isCompared && says?.quantity != null && says.quantity !== quantity,
    ),
    until: figure(
      nextEnd === null ? day(end) : `${day(end)}, and the next term until ${day(nextEnd)}`,
      says?.end == null ? null : `${day(says.end)}${says.atEnd === null ? "" : `, then ${says.atEnd}`}`,
      isCompared && says?.end != null && !isSameEnd(end.toISOString(), says.end),
    ),
    state: figure(state, theirState, isCompared && theirState !== null && theirState !== state),
    tone: subscriptionStateTones[state],
    readAt: says?.readAt ?? null,
    hasVendor: families[family].tenants !== null,
  };
}

const figure = (ours: string, theirs: string | null, differs: boolean): ComparedValue => ({
  ours,
  theirs,
  differs,
});
