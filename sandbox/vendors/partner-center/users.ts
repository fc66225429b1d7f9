/** The users of Partner Center's customers, and their admin roles. */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { anyOrigin, guid, type JsonObject, jsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Customer, PartnerUser } from "../state-schemas.ts";
import { base, type Call, customerOf, list, PartnerError, parse, read, text, write } from "./calls.ts";

/** Global Administrator has its older name in this API. The ids are Microsoft's own. */
export const globalAdministrator = {
  id: "62e90394-69f5-4237-9190-012177145e10",
  name: "Company Administrator",
} as const;
const roles = [
  globalAdministrator,
  { id: "b0f54661-2d74-4c50-afa3-1ec803f12efe", name: "Billing Administrator" },
  { id: "729827e3-9c14-49f7-bb1b-9608f156bbb8", name: "Helpdesk Administrator" },
] as const;

const newUser = z.object({
  usageLocation: z.string().length(2),
  userPrincipalName: z.email(),
  firstName: text,
  lastName: text,
  displayName: text,
  passwordProfile: z.object({
    password: z.string().min(8).max(256),
    forceChangePassword: z.boolean().default(false),
  }),
});

const member = z.object({
  id: text,
  displayName: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
});

export function partnerUserHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      anyOrigin(`${base}/customers/:customerId/users`),
      read(sandbox, (call) => ({
        status: 200,
        body: list(usersOf(sandbox, customerOf(sandbox, call)).map(userBody)),
      })),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/users/:userId`),
      read(sandbox, (call) => ({ status: 200, body: userBody(userOf(sandbox, call, call.param("userId"))) })),
    ),
    http.post(
      anyOrigin(`${base}/customers/:customerId/users`),
      write(sandbox, "user.create", (call) => {
        const customer = customerOf(sandbox, call);
        if (!customer.gdap) {
          throw new PartnerError(403, 900308, "The calling user has no role that allows this operation.");
        }
        const { passwordProfile, ...given } = parse(newUser, call.body);
        const name = given.userPrincipalName.toLowerCase();
        if (!name.endsWith(`@${customer.domain}`)) {
          throw new PartnerError(400, 2000, `The user name must end in @${customer.domain}.`);
        }
        if (usersOf(sandbox, customer).some((user) => user.userPrincipalName.toLowerCase() === name)) {
          throw new PartnerError(
            409,
            2001,
            "Another object with the same value for property userPrincipalName already exists.",
          );
        }
        const user = addUser(sandbox, { ...given, ...passwordProfile, customerId: customer.id, roles: [] });
        return { status: 200, body: userBody(user) };
      }),
    ),
    http.patch(
      anyOrigin(`${base}/customers/:customerId/users/:userId`),
      write(sandbox, "user.update", (call) => {
        const user = userOf(sandbox, call, call.param("userId"));
        const { passwordProfile, ...given } = parse(newUser.partial(), call.body);
        Object.assign(user, given, passwordProfile);
        return { status: 200, body: userBody(user) };
      }),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/directoryroles`),
      read(sandbox, (call) => {
        customerOf(sandbox, call);
        return {
          status: 200,
          body: list(roles.map((role) => ({ ...role, attributes: { objectType: "DirectoryRole" } }))),
        };
      }),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/directoryroles/:roleId/usermembers`),
      read(sandbox, (call) => {
        const roleId = roleOf(call);
        const holders = usersOf(sandbox, customerOf(sandbox, call)).filter((user) =>
          user.roles.includes(roleId),
        );
        return { status: 200, body: list(holders.map((user) => memberBody(user, roleId))) };
      }),
    ),
    http.post(
      anyOrigin(`${base}/customers/:customerId/directoryroles/:roleId/usermembers`),
      write(sandbox, "role.add", (call) => {
        const roleId = roleOf(call);
        const given = parse(member, withLowerCaseNames(call.body));
        const user = userOf(sandbox, call, given.id);
        if (!user.roles.includes(roleId)) user.roles.push(roleId);
        return { status: 201, body: memberBody(user, roleId) };
      }),
    ),
  ];
}

export function addUser(sandbox: Sandbox, given: Omit<PartnerUser, "id">): PartnerUser {
  const user: PartnerUser = { ...given, id: guid() };
  sandbox.state.partner.users[user.id] = user;
  return user;
}

function usersOf(sandbox: Sandbox, customer: Customer): PartnerUser[] {
  return Object.values(sandbox.state.partner.users).filter((user) => user.customerId === customer.id);
}

function userOf(sandbox: Sandbox, call: Call, userId: string): PartnerUser {
  const { id } = customerOf(sandbox, call);
  const user = sandbox.state.partner.users[userId.toLowerCase()];
  if (user === undefined || user.customerId !== id)
    throw new PartnerError(404, 60003, "The user was not found.");
  return user;
}

function roleOf(call: Call): string {
  const roleId = call.param("roleId").toLowerCase();
  if (!roles.some((role) => role.id === roleId))
    throw new PartnerError(404, 60003, "The directory role was not found.");
  return roleId;
}

function userBody(user: PartnerUser): JsonObject {
  const { password: _secret, roles: _roles, customerId: _customer, forceChangePassword, ...rest } = user;
  return {
    ...rest,
    passwordProfile: { password: "", forceChangePassword },
    userDomainType: "managed",
    state: "active",
    softDeletionTime: null,
    attributes: { objectType: "CustomerUser" },
  };
}

function memberBody({ id, displayName, userPrincipalName }: PartnerUser, roleId: string): JsonObject {
  return { id, displayName, userPrincipalName, roleId, attributes: { objectType: "UserMember" } };
}

/** This one call is documented with capitals: `Id`, `DisplayName`. */
function withLowerCaseNames(body: unknown): JsonObject {
  const given = jsonObject.safeParse(body);
  if (!given.success) return {};
  return Object.fromEntries(
    Object.entries(given.data).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}
