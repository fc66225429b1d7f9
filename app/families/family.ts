/**
 * What the pages say and show of each family: one record a family, and the registry. Read on the server; what a browser needs of it,
 * loaders send. docs/extend/family.md says how one is added.
 */

import type { z } from "zod";
import type { Invitation } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { SignInGiven } from "#server/families/family.ts";
import type { Asker } from "#server/orders/find.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Line } from "../ui/lines.tsx";
import { brio } from "./brio/index.ts";
import { google } from "./google/index.ts";
import type { googleSignInSchema } from "./google/schemas.ts";
import { microsoft } from "./microsoft/index.ts";
import type { microsoftSignInSchema } from "./microsoft/schemas.ts";
import type { Banner } from "./offer.ts";
import type { SignInView } from "./sign-in-view.ts";

export interface FamilyScreens {
  /** How the catalogue leads to a family that its switch of services leaves out; null for one that stands in the switch. */
  also: { text: string; link: string } | null;
  /** The slide that leads to its plans, with their lowest price; null for none. */
  plansBanner: Banner | null;
  /** What else of the vendor is promoted in a country. */
  promotions(country: Country): readonly Promotion[];
  questions: {
    /** "Are the licences genuine?" */
    genuine: string;
    /** "How is my subscription activated?" */
    activation: string;
  };
  /** Above the form of a new order's first step. */
  detailsHeading: string;
  /** What the sign-in step asks; null for a family without one. */
  signIn: SignInScreens | null;
  review: {
    /** What the price is made of. */
    rows(order: Order, changeOf: ChangeOf): Line[];
    totalLabel: string;
  };
  /** What a buyer accepts with an order (docs/specification.md, section 9.2). */
  terms: readonly string[];
  /** Of the sign-in details on the closure page. */
  secret: { name: string; hint: string };
}

/** A promotion that is asked for by a person, not bought in the shop. */
export interface Promotion extends Banner {
  readonly maker: string;
  readonly price: { readonly amount: string; readonly list: string; readonly after: string } | null;
  readonly action: string;
}

/** The way to a field of a step that can still be posted again; it leads back to the review. */
export type ChangeOf = (form: "details" | "account", field: string) => string | undefined;

/** What any family's sign-in form posts. */
export type SignInValue = z.output<typeof microsoftSignInSchema> | z.output<typeof googleSignInSchema>;

export interface SignInScreens {
  /** The page that lists the orders that wait for it; null for none. */
  listedOn: { text: string; href: string } | null;
  schema: z.ZodType<SignInValue>;
  /** What the step asks now, which follows from the order and its invitation alone. */
  view(
    request: RequestContext,
    order: Order,
    place: { invitation: Invitation | null; here: string; waitMs: number; refreshSeconds: number },
  ): Promise<SignInView>;
  /**
   * What is made of a post.
   * @param asked.answer takes answers for the order
   * @returns where it leads, when not back to the step
   */
  post(
    request: RequestContext,
    order: Order,
    value: SignInValue,
    asked: { asker: Asker; answer(given: SignInGiven): Promise<void> },
  ): Promise<string | null>;
}

export const screens: Readonly<Record<FamilyId, FamilyScreens>> = { microsoft, google, brio };
