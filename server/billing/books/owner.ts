/** Decides whose books a user sees: every member sees those of the company, like its invoices. */

import type { BooksOwner } from "#db/billing/books.ts";
import type { UserId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import type { Requester } from "#server/orders/find.ts";

/** The owner of the books, and the country that decides the accounting years. */
export interface Books {
  owner: BooksOwner;
  country: Country;
  /** Name of the company, or of the buyer without one. */
  name: string;
}

/** The signed-in user's fields for the books. */
interface Reader {
  userId: UserId;
  firstName: string;
  lastName: string;
  customer: (NonNullable<Requester["customer"]> & { name: string; country: Country }) | null;
}

export function booksOf({ userId, customer, ...name }: Reader): Books {
  if (customer !== null)
    return { owner: { customerId: customer.id }, country: customer.country, name: customer.name };
  return { owner: { userId }, country: standardCountry, name: fullName(name) };
}
