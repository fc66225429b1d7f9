/** The sidebar's links: the address and group of each Desk page, and which link is marked on it. */
import type { StaffRole } from "#db/tables/enums.ts";
import { type DeskPageId, deskPages, maySee } from "#server/desk/roles.ts";
import * as paths from "#server/foundation/paths.ts";
import type { DeskLink } from "./view.ts";

type Place = Pick<DeskLink, "href" | "group" | "icon">;

/**
 * Pages with a link in the sidebar. Every page that has a navigation label must be listed (tests/unit/desk/navigation.test.ts).
 */
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

/** The link that is marked on each page without its own. */
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

/** Link to the differences, a money list that staff check daily. */
const discrepancies = (): DeskLink => ({
  label: "Discrepancies",
  href: paths.deskMoneyList("differences"),
  group: "Money",
  icon: "alert",
  count: null,
  current: null,
});

/** @param open the current page @param waiting number of work items, formatted; null for none */
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
