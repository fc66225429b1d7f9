/** Companies as staff find them, and one of them with all that is stored about it. */

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

/** The most of a file: who needs more asks for a narrower one. */
const maxFileRows = 20_000;
/** Of each list on a company's page. */
const maxShown = 50;

/** Columns that companies can be sorted by. */
export const sortableCustomerColumns = ["since", "name"] as const;

interface CustomerSearchQuery {
  search: string | null;
  page: string | null;
  order: ListOrder<(typeof sortableCustomerColumns)[number]>;
}

/**
 * All companies, or those that a search finds: a GSTIN, an email, an order's, an invoice's or a credit note's number,
 * or how a name or a domain begins.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function searchCustomers(
  db: Db,
  { search, page, order }: CustomerSearchQuery,
): Promise<ListPage<FoundCustomer>> {
  const query = parsePageQuery({ search: search ?? undefined, page: page ?? undefined });
  return listPage(await findCustomers(db, { ...query, order, number: numberIn(query.search) }));
}

/** The same as comma-separated values, with a line of names first. @throws DomainError bad_request for an invalid search */
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

/** A figure as we have it, and as its vendor last said it. */
export interface ComparedValue {
  ours: string;
  /** Null where the vendor has not said. */
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
  /** The look of our state. */
  tone: StateTone;
  /** When the vendor was last asked; null for a family without a vendor, and before the first time. */
  readAt: Date | null;
  /** False for a family that has no vendor to ask. */
  hasVendor: boolean;
  /** How many licences people have; null where the vendor has not told. */
  inUse: string | null;
  /** What the company has said of its renewal, and who said it; null while it has not. */
  renewal: { words: string; by: string } | null;
}

export interface CustomerView {
  customer: Customer;
  countryName: string;
  twins: GstinTwin[];
  addresses: Address[];
  /** The tax that the company says it withholds. */
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

/** Ours is the running term: what is paid for after it stands at the vendor when its time comes. */
function figuresOf(
  { country }: Pick<Customer, "country">,
  row: SubscriptionWithVendorState,
): Omit<SubscriptionComparison, "renewal" | "inUse"> {
  const { id, name, domain, quantity, end, nextEnd, says, family } = row;
  const day = (date: Date) => formatDate(date, country);
  const state = row.status === "active" && row.isSuspended ? "suspended" : row.status;
  const theirState = says === null ? null : says.isThere ? says.state : "not found";
  // A subscription that is over on both sides is nobody's difference.
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
