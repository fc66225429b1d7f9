/** Creates people for the tests of this folder. */

import type { AddressFields } from "#db/accounts/customers.ts";
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import type { SessionSecrets } from "#server/accounts/sessions.ts";
import { createUser } from "#server/accounts/users.ts";

export const secrets: SessionSecrets = ["a-secret-for-tests-of-32-characters"];

let made = 0;

/** Creates a user with a unique email. */
export async function somebody(
  db: Db,
  fields: { email?: string; password?: string | null } = {},
): Promise<{ id: UserId; email: string }> {
  made += 1;
  const email = fields.email ?? `person-${made}@example.com`;
  const id = await db.transaction().execute((trx) =>
    createUser(trx, {
      email,
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
      password: fields.password === undefined ? null : fields.password,
    }),
  );
  return { id, email };
}

export const address: AddressFields = {
  gstCode: "29AABCB1234C1ZA",
  addressLine1: "221 100 Feet Road",
  addressLine2: "Indiranagar",
  city: "Bengaluru",
  state: "Karnataka",
  pincode: "560038",
  country: "IN",
  organisationRegistrationNumber: "AABCB1234C",
  email: "accounts@example.com",
  firstName: "Asha",
  lastName: "Rao",
  phone: "9876543210",
};
