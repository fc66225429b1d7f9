/** Users of the customers' domains, created and found by provisioning and the Directory API. */
import { randomBytes } from "node:crypto";
import { isHidden } from "../delays.ts";
import type { Sandbox } from "../sandbox.ts";
import type { GoogleCustomer, GoogleUser } from "./entities.ts";
import { identityOf } from "./identities.ts";

export function addUser(
  sandbox: Sandbox,
  given: Pick<GoogleUser, "customerName" | "primaryEmail" | "givenName" | "familyName"> & Partial<GoogleUser>,
): GoogleUser {
  const user: GoogleUser = {
    password: "",
    changePasswordAtNextLogin: false,
    isAdmin: false,
    suspended: false,
    createdAt: sandbox.now(),
    ...given,
    id: `1${BigInt(`0x${randomBytes(8).toString("hex")}`)
      .toString()
      .padStart(20, "0")}`,
    primaryEmail: given.primaryEmail.toLowerCase(),
  };
  sandbox.state.google.users[user.id] = user;
  return user;
}

export function userByEmail(sandbox: Sandbox, email: string): GoogleUser | undefined {
  const wanted = email.toLowerCase();
  return Object.values(sandbox.state.google.users).find((user) => user.primaryEmail === wanted);
}

/** Finds a user by id or address; undefined before the customer's Cloud Identity exists. */
export function findUser(sandbox: Sandbox, key: string): GoogleUser | undefined {
  const user = sandbox.state.google.users[key] ?? userByEmail(sandbox, key);
  const customer = sandbox.state.google.customers[user?.customerName ?? ""];
  return customer !== undefined && isInDirectory(sandbox, customer) ? user : undefined;
}

/** Whether a domain is in the directory, which happens a while after its Cloud Identity was created. */
export function isInDirectory(sandbox: Sandbox, customer: GoogleCustomer): boolean {
  if (identityOf(sandbox, customer) === undefined) return false;
  const made = sandbox.state.google.operations[customer.identity?.operation ?? ""];
  return made === undefined || !isHidden(sandbox, "googleDomain", customer.name, made.doneAt);
}
