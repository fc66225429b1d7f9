/** Every address in Desk, starting from each of its screens. */
import type { Places } from "../places.ts";
import { screens } from "../screens.ts";
import { type Address, findAddresses } from "./crawl-urls.ts";
import type { Examples } from "./examples.ts";

/** @throws Error for a page that does not answer, and for a field without an example */
export async function findDeskAddresses(places: Places, examples: Examples): Promise<Address[]> {
  const ofDesk = screens.filter(({ file }) => file.startsWith("desk/"));
  const leads = await Promise.all(ofDesk.map(({ at }) => at(places)));
  return findAddresses({ leads, isPart, pageOf, mostAlike: 12, examples });
}

/** "/desk/orders/*" for the pages of orders. The first word names the page; the rest can be an id. */
function pageOf(pathname: string): string {
  const [, desk, name, ...rest] = pathname.split("/");
  return ["", desk, ...(name === undefined ? [] : [name]), ...rest.map(() => "*")].join("/");
}

/** A name with a dot belongs to a file. */
const isPart = ({ pathname }: URL) =>
  (pathname === "/desk" || pathname.startsWith("/desk/")) && !/\.\w+$|\/(csv|pdf)$/.test(pathname);
