/** `/robots.txt`: where crawlers need not look, since it is somebody's own, and where the list of all other pages is. */

import * as paths from "#server/paths.ts";
import { fileLoader } from "../calls/shared/route.ts";

const any = { id: "*", family: "*", item: "*", country: "*" };

/** Beginnings of addresses; a star stands for anything. */
const ofPeople = [
  paths.account(),
  paths.approval("*"),
  paths.approve(""),
  paths.cart(),
  paths.continueAs("/").replace(/\?.*/, ""),
  paths.customerHome(),
  paths.invite(""),
  paths.invoice("*"),
  paths.members(),
  paths.microsoftSignup(),
  paths.myOrders(),
  paths.outlookSignIn(),
  paths.resetPassword(""),
  paths.resume(""),
  paths.setPassword(""),
  paths.subscriptions(),
  paths.sync(),
  // An order's own address; a plan's is shorter, and may be found.
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
