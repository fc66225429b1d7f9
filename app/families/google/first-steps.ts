/** A new domain's first steps in Google's admin console. */
import type { Order } from "#db/order.ts";
import { told } from "#server/languages/text.ts";
import type { FirstStep } from "../first-step.ts";

const adminConsole = "https://admin.google.com/";

export function firstSteps(_order: Order, domain: string): FirstStep[] {
  return [
    {
      title: told("firstSteps.googleSignIn"),
      text: told("firstSteps.googleSignInText"),
      menus: [],
      href: adminConsole,
    },
    {
      title: told("firstSteps.googlePeople"),
      text: told("firstSteps.googlePeopleText"),
      menus: ["Directory", "Users", "Add new user"],
      href: adminConsole,
    },
    {
      title: told("firstSteps.googleDomain"),
      text: told("firstSteps.googleDomainText", { domain }),
      menus: ["Account", "Domains", "Manage domains"],
      href: adminConsole,
    },
  ];
}
