/** A new tenant's first steps in Microsoft's admin centre. */
import type { Order } from "#db/order.ts";
import { told } from "#server/languages/text.ts";
import type { FirstStep } from "../first-step.ts";

const adminCentre = "https://admin.microsoft.com/";

/** @param domain the tenant's first domain, at the vendor */
export function firstSteps({ line }: Order, domain: string): FirstStep[] {
  return [
    {
      title: told("firstSteps.microsoftSignIn"),
      text: told("firstSteps.microsoftSignInText"),
      menus: [],
      href: adminCentre,
    },
    {
      title: told("firstSteps.microsoftPeople"),
      text: told("firstSteps.microsoftPeopleText", { plan: line.name }),
      menus: ["Users", "Active users", "Add a user"],
      href: adminCentre,
    },
    {
      title: told("firstSteps.microsoftDomain"),
      text: told("firstSteps.microsoftDomainText", { domain }),
      menus: ["Settings", "Domains", "Add domain"],
      href: adminCentre,
    },
  ];
}
