/** The side bar's links: where each page of the desk is, in which group, and what is marked while it is open. */
import type { StaffRole } from "#db/tables/enums.ts";
import { type DeskPageId, deskPages, maySee } from "#server/desk/roles.ts";
import * as paths from "#server/foundation/paths.ts";
import type { DeskLink } from "./view.ts";

type Place = Pick<DeskLink, "href" | "group" | "icon">;

/** Pages that the side bar leads to. A page with a name in the navigation has to be here (tests/unit/desk/navigation.test.ts). */
const places: Partial<Record<DeskPageId, Place>> = {
  queue: { href: paths.desk(), group: "Work", icon: "alert" },
  orders: { href: paths.deskOrders(), group: "Work", icon: "document" },
  customers: { href: paths.deskCustomers(), group: "Work", icon: "people" },
  tenants: { href: paths.deskTenantImport(), group: "Work", icon: "building" },
  mail: { href: paths.deskMail(), group: "Work", icon: "mail" },
  documents: { href: paths.deskDocuments(), group: "Money", icon: "save" },
  gstr1: { href: paths.deskGstr1(), group: "Money", icon: "calendar" },
  money: { href: paths.deskMoney(), group: "Money", icon: "bank" },
  prices: { href: paths.deskPrices(), group: "Money", icon: "card" },
  jobs: { href: paths.deskJobs(), group: "System", icon: "clock" },
  vendors: { href: paths.deskVendors(), group: "System", icon: "globe" },
  texts: { href: paths.deskTexts(), group: "System", icon: "copy" },
  staff: { href: paths.deskStaff(), group: "System", icon: "user" },
  audit: { href: paths.deskAudit(), group: "System", icon: "shield" },
};

/** Link that is marked on each page that the side bar does not lead to. */
const sections: Partial<Record<DeskPageId, DeskPageId>> = {
  order: "orders",
  document: "documents",
  moneyList: "money",
  customer: "customers",
  priceList: "prices",
  priceHistory: "prices",
  itemTexts: "texts",
  slide: "texts",
};

/** The list of money that is looked at each day has a link of its name. */
const discrepancies = (): DeskLink => ({
  label: "Discrepancies",
  href: paths.deskMoneyList("differences"),
  group: "Money",
  icon: "alert",
  count: null,
  current: null,
});

/** @param open the page that is shown @param waiting items in the queue, null for none */
export function linksFor(role: StaffRole, open: DeskPageId, waiting: string | null): DeskLink[] {
  const ids = Object.keys(deskPages).filter((id): id is DeskPageId => id in deskPages);
  return ids.flatMap((id) => {
    const label = deskPages[id].navigationLabel;
    const place = places[id];
    if (label === null || place === undefined || !maySee(role, id)) return [];
    const current = id === open ? "page" : id === sections[open] ? "section" : null;
    const link: DeskLink = { ...place, label, count: id === "queue" ? waiting : null, current };
    return id === "money" ? [link, discrepancies()] : [link];
  });
}
