/**
 * Screens and texts of each family: one record per family. Server only: loaders send the browser what it needs.
 * docs/extend/family.md explains how to add one.
 */

import type { z } from "zod";
import type { PartnerInvitation } from "#db/fulfilment/partner-invitations.ts";
import type { Order } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import type { SignInInput } from "#server/catalogue/families/family.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { MessageKey, PlainMessageKey, Translate } from "#server/foundation/languages/messages.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import type { Requester } from "#server/orders/find.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { SummaryRow } from "../ui/summary-list.tsx";
import type { Banner } from "./carousel-slide.ts";
import type { googleSignInSchema } from "./google/schemas.ts";
import type { microsoftSignInSchema } from "./microsoft/schemas.ts";
import type { AdvisorQuestions } from "./plan-advisor.ts";
import type { SignInView } from "./sign-in-view.ts";

export interface FamilyScreens {
  /** Icon for the sign-in lists: a symbol of public/tiles.svg. */
  tile: string;
  /** The catalogue's link to a family that the service switch leaves out, or null for a family in the switch. */
  also: { text: PlainMessageKey; link: PlainMessageKey } | null;
  /** The carousel slide that links to the family's plans and shows their lowest price, or null for none. */
  plansBanner: Banner | null;
  /** Other promotions of the vendor in a country. */
  promotions(country: Country, language: LanguageId): readonly Promotion[];
  questions: {
    /** "Are the licences genuine?" */
    genuine: PlainMessageKey;
    /** "How is my subscription activated?" */
    activation: PlainMessageKey;
  };
  /** The questions that lead a buyer to one of its plans; null for a family whose plans do not replace each other. */
  choosing: AdvisorQuestions | null;
  /** The heading above the first step's form of a new order. */
  detailsHeading: MessageKey;
  /** The sign-in step, or null for a family without one. */
  signIn: SignInScreens | null;
  review: {
    /** The rows that make up the price. */
    rows(order: Order, changeOf: ChangeOf, text: Translate): SummaryRow[];
    totalLabel: MessageKey;
  };
  /** The terms that a buyer accepts with an order (docs/specification.md, section 9.2). */
  terms: readonly MessageDescriptor[];
  /** The name and hint of the secret on the closure page. */
  secret: { name: PlainMessageKey; hint: PlainMessageKey };
}

/** A promotion that the store does not sell itself; the buyer asks the sales team for it. */
export interface Promotion extends Banner {
  /** Key under which staff edit its title in Desk: lower case, the same in every country. */
  readonly id: string;
  readonly maker: string;
  readonly price: { readonly amount: string; readonly list: string; readonly after: PlainMessageKey } | null;
  readonly action: MessageDescriptor;
}

/** The link to a field of a step that can still be edited. Saving leads back to the review. */
export type ChangeOf = (form: "details" | "account", field: string) => string | undefined;

/** The values that any family's sign-in form posts. */
export type SignInValue = z.output<typeof microsoftSignInSchema> | z.output<typeof googleSignInSchema>;

export interface SignInScreens {
  /** The page that lists orders waiting at this step, or null for none. */
  listedOn: { text: MessageDescriptor; href: string } | null;
  schema: z.ZodType<SignInValue>;
  /** View model of the step, which depends only on the order and its invitation. */
  view(
    request: RequestContext,
    order: Order,
    place: { invitation: PartnerInvitation | null; here: string; waitMs: number; refreshSeconds: number },
  ): Promise<SignInView>;
  /**
   * Handles a post.
   * @param asked.answer stores answers for the order
   * @returns the redirect target, unless back to the step
   */
  post(
    request: RequestContext,
    order: Order,
    value: SignInValue,
    input: { requester: Requester; answer(given: SignInInput): Promise<void> },
  ): Promise<string | null>;
}
