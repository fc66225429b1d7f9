/** `/robots.txt`: excludes personal pages from crawling, and names the sitemap. */

import * as paths from "#server/foundation/paths.ts";
import { fileLoader } from "../api/shared/route.ts";

const any = { id: "*", family: "*", item: "*", country: "*" };

/** Path prefixes. A star matches anything. */
const ofPeople = [
  paths.account(),
  paths.approval("*"),
  paths.approve(""),
  paths.cart(),
  paths.continueAs("/").replace(/\?.*/, ""),
  paths.customerHome(),
  paths.desk(),
  paths.invite(""),
  paths.invoice("*"),
  paths.creditNote("*"),
  paths.members(),
  paths.microsoftSignup(),
  paths.myOrders(),
  paths.outlookSignIn(),
  paths.signInAt(""),
  paths.resetPassword(""),
  paths.resume(""),
  paths.setPassword(""),
  paths.subscriptions(),
  paths.sync(),
  // An order's own address. A plan's address is shorter and stays crawlable.
  paths.order(any),
  paths.contract(any),
  paths.newAddOn(),
  paths.buyMore(""),
  paths.renew("*"),
];

export const loader = fileLoader(
  async ({ context: { env } }) =>
    new Response(
      [
        "User-agent: *",
        ...ofPeople.map((path) => `Disallow: ${path}`),
        "",
        `Sitemap: ${new URL(paths.sitemap(), env.PUBLIC_URL).href}`,
        "",
      ].join("\n"),
      { headers: { "Content-Type": "text/plain; charset=utf-8" } },
    ),
);
