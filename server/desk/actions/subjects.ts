/** Subjects of staff actions. */

import type { Customer } from "#db/accounts/customers.ts";
import type { Cancellation } from "#db/billing/cancellations.ts";
import { findByDocumentNumber } from "#db/billing/documents.ts";
import { listOpenDiscrepancies, type StoredDiscrepancy } from "#db/billing/reconciliation.ts";
import type { ListedPriceList } from "#db/catalogue/price-lists.ts";
import { findStaff, type Staff } from "#db/desk/staff.ts";
import { isWorkItemOpen, type WorkItemKind } from "#db/desk/work-queue.ts";
import { findPause, type VendorPause } from "#db/fulfilment/vendor-pauses.ts";
import {
  type CancellationId,
  type CustomerId,
  type MailId,
  type OrderId,
  parseId,
  parsePriceListId,
  type StaffId,
} from "#db/ids.ts";
import { findMail, findSuppressionByMail, type LoggedMail, type MailSuppression } from "#db/mail/mails.ts";
import type { Order } from "#db/orders/order.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { getCancellation } from "#server/billing/cancellations/decide.ts";
import { findRefused, type RefusedDocument } from "#server/billing/documents/refused.ts";
import { getListedPriceList } from "#server/desk/price-lists/lists.ts";
import { headingOf } from "#server/desk/price-lists/view.ts";
import { explainRefusal } from "#server/foundation/countries/portal-refusals.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { type AnyJobName, isJobName, type JobView, readJob } from "../jobs.ts";
import { mailKindLabels } from "../labels.ts";
import { noSuchMail, notSuppressed } from "../mail-log.ts";
import { noStaff } from "../staff-accounts.ts";
import { vendorName } from "../vendors.ts";
import { workItemKindDetails } from "../work-item-kinds.ts";
import { notWaiting, readItemName } from "../work-queue.ts";
import type { ActionSubject } from "./action.ts";

export const orderSubject: ActionSubject<Order> = {
  name: "order",
  async find({ db }, text) {
    const id = parseId<OrderId>(text);
    const order = id === null ? null : await findOrder(db, id);
    if (order === null) throw notFound("order");
    return order;
  },
  title: (order) => [orderNumber(order), order.account?.companyName].filter(Boolean).join(", "),
  path: ({ id }) => paths.deskOrder(id),
};

export const customerSubject: ActionSubject<Customer> = {
  name: "customer",
  async find({ db }, text) {
    const id = parseId<CustomerId>(text);
    const customer = id === null ? null : await findCustomer(db, id);
    if (customer === null) throw notFound("company");
    return customer;
  },
  title: ({ name }) => name,
  path: ({ id }) => paths.deskCustomer(id),
};

export const staffSubject: ActionSubject<Staff> = {
  name: "staff",
  async find({ db }, text) {
    const id = parseId<StaffId>(text);
    const staff = id === null ? null : await findStaff(db, id);
    if (staff === null) throw noStaff();
    return staff;
  },
  title: ({ email }) => email,
  path: () => paths.deskStaff(),
};

export const priceListSubject: ActionSubject<ListedPriceList> = {
  name: "price list",
  async find({ db }, text) {
    const id = parsePriceListId(text);
    if (id === null) throw notFound();
    return getListedPriceList(db, id);
  },
  title: (list) => `Price list ${list.id}: ${headingOf(list)}`,
  path: ({ id }) => paths.deskPriceList(id),
};

/** Id for actions that create an account. */
export const everyStaff = "all";
export const staffListSubject: ActionSubject<null> = {
  name: "staff list",
  async find(_context, text) {
    if (text !== everyStaff) throw noStaff();
    return null;
  },
  title: () => "Staff",
  path: () => paths.deskStaff(),
};

interface NumberedDocument {
  number: string;
  /** Null for a document that the portal has not refused. */
  refused: RefusedDocument | null;
}

export const documentSubject: ActionSubject<NumberedDocument> = {
  name: "document",
  async find({ db }, text) {
    // PostgreSQL rejects NUL characters, and no number has one.
    const found = text.includes("\0") ? null : await findByDocumentNumber(db, text);
    if (found === null) throw notFound();
    return { number: text, refused: await findRefused(db, text) };
  },
  title: ({ number, refused }) =>
    refused === null ? number : `${number}: ${english(explainRefusal(refused.eInvoice))}`,
  path: ({ number }) => paths.deskDocument(number),
};

/** Id for actions on documents that name none of them. */
export const everyDocument = "all";
export const documentsSubject: ActionSubject<null> = {
  name: "documents",
  async find(_context, text) {
    if (text !== everyDocument) throw notFound();
    return null;
  },
  title: () => "Documents",
  path: () => paths.deskDocuments(),
};

export const differenceSubject: ActionSubject<StoredDiscrepancy> = {
  name: "difference",
  async find({ db }, text) {
    const difference = (await listOpenDiscrepancies(db)).find(({ key }) => key === text);
    if (difference === undefined) throw notWaiting();
    return difference;
  },
  title: ({ what }) => what,
  path: () => paths.desk(),
};

export const cancellationSubject: ActionSubject<Cancellation> = {
  name: "cancellation",
  async find({ db }, text) {
    return getCancellation(db, parseId<CancellationId>(text));
  },
  title: ({ kind, seatsBefore, seatsAfter }) =>
    kind === "cancel"
      ? `Cancellation of ${seatsBefore} licenses`
      : `Reduction from ${seatsBefore} to ${seatsAfter} licenses`,
  path: ({ orderId }) => paths.deskOrder(orderId),
};

interface Item {
  kind: WorkItemKind;
  key: string;
  what: string;
  lasts: boolean;
}

export const itemSubject: ActionSubject<Item> = {
  name: "item",
  async find({ db }, text) {
    const item = readItemName(text);
    const waiting = item === null ? null : await isWorkItemOpen(db, item);
    if (item === null || waiting === null) throw notWaiting();
    return { ...item, what: english(waiting.what ?? ""), lasts: waiting.lasts };
  },
  title: ({ kind, what }) => `${workItemKindDetails[kind].label}: ${what}`,
  path: () => paths.desk(),
};

export const mailSubject: ActionSubject<LoggedMail> = {
  name: "mail",
  async find({ db }, text) {
    const id = parseId<MailId>(text);
    const mail = id === null ? null : await findMail(db, id);
    if (mail === null) throw noSuchMail();
    return mail;
  },
  title: ({ kind, recipient }) => `${mailKindLabels[kind]}, to ${recipient}`,
  path: () => paths.deskMail(),
};

/** Identified by the refused mail, because an email address must not appear in a page's address. */
export const suppressionSubject: ActionSubject<MailSuppression> = {
  name: "suppression",
  async find({ db }, text) {
    const id = parseId<MailId>(text);
    const suppression = id === null ? null : await findSuppressionByMail(db, id);
    if (suppression === null) throw notSuppressed();
    return suppression;
  },
  title: ({ email }) => email,
  path: () => paths.deskMail(),
};

export const jobSubject: ActionSubject<JobView> = {
  name: "job",
  find: ({ db }, text) => readJob(db, text),
  title: ({ name, order }) => [name, order?.number].filter(Boolean).join(", "),
  path: () => paths.deskJobs(),
};

export const jobKindSubject: ActionSubject<AnyJobName> = {
  name: "kind of job",
  async find(_context, text) {
    if (!isJobName(text)) throw new DomainError("not_found", "Unknown job type.");
    return text;
  },
  title: (name) => name,
  path: () => paths.deskJobs(),
};

export const pauseSubject: ActionSubject<VendorPause> = {
  name: "vendor pause",
  async find({ db }, text) {
    const pause = await findPause(db, text);
    if (pause === null) throw new DomainError("not_found", "This vendor is not paused.");
    return pause;
  },
  title: (pause) => vendorName(pause),
  path: () => paths.deskVendors(),
};
