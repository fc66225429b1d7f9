/**
 * The Directory API under `/google-directory`, for the users of customers that have a Cloud Identity: get, insert, update and
 * make an administrator. Responses never contain a password; `/control/state` does.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { anyOrigin, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import {
  type Answer,
  type Api,
  type Call,
  directoryScope,
  GoogleError,
  parse,
  read,
  text,
  write,
} from "./calls.ts";
import type { GoogleUser } from "./entities.ts";
import { customerOfDomain, identityOf } from "./identities.ts";
import { addUser, findUser, isInDirectory, userByEmail } from "./users.ts";

const base = "/google-directory/admin/directory/v1/users";
const one = `${base}/:user`;

const reasons = {
  INVALID_ARGUMENT: "invalid",
  FAILED_PRECONDITION: "conditionNotMet",
  UNAUTHENTICATED: "authError",
  PERMISSION_DENIED: "forbidden",
  NOT_FOUND: "notFound",
  ALREADY_EXISTS: "duplicate",
  RESOURCE_EXHAUSTED: "rateLimitExceeded",
} as const;

/** Google's older error format: a list of reasons, and a `status` only in errors from the front end. */
const directory: Api = {
  scopes: [directoryScope],
  errorBody({ code, message, status }) {
    const errors = [{ message, domain: "global", reason: reasons[status] }];
    const atDoor = status === "UNAUTHENTICATED" || status === "PERMISSION_DENIED";
    return { error: { code, message, errors, ...(atDoor ? { status, details: [] } : {}) } };
  },
};

const password = z.string().regex(/^[\x20-\x7e]{8,100}$/, "must be 8 to 100 ASCII characters");
const name = z.object({ givenName: text.max(60), familyName: text.max(60) });
const inserted = z.object({
  primaryEmail: z.email(),
  name,
  password,
  changePasswordAtNextLogin: z.boolean().default(false),
  suspended: z.boolean().default(false),
});
const updated = z.object({
  name: name.partial().default({}),
  password: password.optional(),
  changePasswordAtNextLogin: z.boolean().optional(),
  suspended: z.boolean().optional(),
});

export function googleDirectoryHandlers(sandbox: Sandbox): HttpHandler[] {
  const update = write(sandbox, directory, (call) => {
    const user = userOf(sandbox, call);
    const { name: names, ...given } = parse(updated, call.body);
    // Fields that are left out stay unchanged, with PUT as with PATCH.
    user.givenName = names.givenName ?? user.givenName;
    user.familyName = names.familyName ?? user.familyName;
    user.password = given.password ?? user.password;
    user.changePasswordAtNextLogin = given.changePasswordAtNextLogin ?? user.changePasswordAtNextLogin;
    user.suspended = given.suspended ?? user.suspended;
    return { body: userBody(sandbox, user), kind: "google.user.update" };
  });
  return [
    http.get(
      anyOrigin(one),
      read(sandbox, directory, (call) => userBody(sandbox, userOf(sandbox, call))),
    ),
    http.post(
      anyOrigin(base),
      write(sandbox, directory, ({ body }) => insert(sandbox, body)),
    ),
    http.put(anyOrigin(one), update),
    http.patch(anyOrigin(one), update),
    http.post(
      anyOrigin(`${one}/makeAdmin`),
      write(sandbox, directory, (call) => {
        userOf(sandbox, call).isAdmin = parse(z.object({ status: z.boolean() }), call.body).status;
        return { body: undefined, kind: "google.user.makeAdmin" };
      }),
    ),
  ];
}

function insert(sandbox: Sandbox, body: unknown): Answer {
  const { name: names, ...given } = parse(inserted, body);
  const customer = customerOfDomain(sandbox, given.primaryEmail.split("@").at(-1)?.toLowerCase() ?? "");
  if (customer === undefined || !isInDirectory(sandbox, customer))
    throw new GoogleError("NOT_FOUND", "Domain not found.");
  if (userByEmail(sandbox, given.primaryEmail) !== undefined)
    throw new GoogleError("ALREADY_EXISTS", "Entity already exists.");
  const user = addUser(sandbox, { ...given, ...names, customerName: customer.name });
  return { body: userBody(sandbox, user), kind: "google.user.insert" };
}

function userOf(sandbox: Sandbox, call: Call): GoogleUser {
  const user = findUser(sandbox, call.param("user"));
  if (user === undefined) throw new GoogleError("NOT_FOUND", "Resource Not Found: userKey");
  return user;
}

function userBody(sandbox: Sandbox, user: GoogleUser): JsonObject {
  const { password: _secret, customerName, givenName, familyName, createdAt, ...rest } = user;
  const customer = sandbox.state.google.customers[customerName];
  return {
    kind: "admin#directory#user",
    ...rest,
    name: { givenName, familyName, fullName: `${givenName} ${familyName}` },
    creationTime: new Date(createdAt).toISOString(),
    customerId: customer === undefined ? undefined : identityOf(sandbox, customer),
    agreedToTerms: false,
    isDelegatedAdmin: false,
    orgUnitPath: "/",
  };
}
