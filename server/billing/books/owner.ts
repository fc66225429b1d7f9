/** Whose books somebody may look at: every member may see those of the company, as its invoices. */

import type { BooksOwner } from "#db/billing/books.ts";
import type { UserId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import type { Requester } from "#server/orders/find.ts";

/** Whose, and by whose country's years. */
export interface Books {
  owner: BooksOwner;
  country: Country;
  /** The company, or who has none. */
  name: string;
}

/** Who is signed in, as far as the books need to know. */
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
