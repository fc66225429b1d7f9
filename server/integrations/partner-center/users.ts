/**
 * The buyer's own administrator in a new tenant. Microsoft generates the first one itself, so the buyer's user name and
 * password go to a second user with the administrator's role.
 */
import { z } from "zod";
import {
  assertSuccess,
  errorOf,
  ProviderError,
  type ProviderResponse,
  parseResponse,
  pathOf,
} from "../http.ts";
import type { Api } from "./api.ts";
import type { PartnerCenterConfig } from "./config.ts";

export interface NewUser {
  /** ISO 3166 two-letter code of where the user works. */
  usageLocation: string;
  /** `name@domain`. */
  userPrincipalName: string;
  firstName: string;
  lastName: string;
  displayName: string;
  password: string;
  forceChangePassword: boolean;
}

/** "exists" after a lost response, or because Microsoft chose the same name itself: find the id with findUser. */
export type CreateUserResult = { outcome: "created"; userId: string } | { outcome: "exists" };

export interface UserCalls {
  createUser(tenantId: string, user: NewUser, requestId: string): Promise<CreateUserResult>;
  findUser(tenantId: string, userPrincipalName: string): Promise<{ userId: string } | null>;
  setUserPassword(tenantId: string, userId: string, password: string, requestId: string): Promise<void>;
  assignAdminRole(
    tenantId: string,
    user: { userId: string; displayName: string; userPrincipalName: string },
    requestId: string,
  ): Promise<void>;
}

const userReply = z.object({ id: z.string().min(1) });

const usersReply = z.object({
  items: z.array(z.object({ id: z.string().min(1), userPrincipalName: z.string().nullish() })),
});

const rolesReply = z.object({ items: z.array(z.object({ id: z.string().min(1), name: z.string() })) });

const defaultAdminRole = "Company Administrator";

export function userCalls(api: Api, config: PartnerCenterConfig): UserCalls {
  return {
    /** `POST /v1/customers/{id}/users`. @throws ProviderError */
    async createUser(tenantId, user, requestId) {
      const answer = await api({
        method: "POST",
        path: pathOf`/v1/customers/${tenantId}/users`,
        requestId,
        forUser: true,
        secrets: [user.password],
        json: {
          usageLocation: user.usageLocation,
          userPrincipalName: user.userPrincipalName,
          firstName: user.firstName,
          lastName: user.lastName,
          displayName: user.displayName,
          passwordProfile: { password: user.password, forceChangePassword: user.forceChangePassword },
        },
      });
      if (saysItExists(answer)) return { outcome: "exists" };
      return { outcome: "created", userId: parseResponse(answer, userReply).id };
    },

    /**
     * Returns the id of a user by name. Reads one page of 500, because it is only used for new tenants with a handful of users.
     * @throws ProviderError
     */
    async findUser(tenantId, userPrincipalName) {
      const path = pathOf`/v1/customers/${tenantId}/users`;
      const answer = await api({ method: "GET", path, query: { size: "500" }, forUser: true });
      const wanted = userPrincipalName.toLowerCase();
      const match = parseResponse(answer, usersReply).items.find(
        (user) => user.userPrincipalName?.toLowerCase() === wanted,
      );
      return match === undefined ? null : { userId: match.id };
    },

    /**
     * `PATCH /v1/customers/{id}/users/{userId}`: sets the buyer's password, with no forced change at the first sign-in.
     * @throws ProviderError
     */
    async setUserPassword(tenantId, userId, password, requestId) {
      const answer = await api({
        method: "PATCH",
        path: pathOf`/v1/customers/${tenantId}/users/${userId}`,
        requestId,
        forUser: true,
        secrets: [password],
        json: {
          passwordProfile: { password, forceChangePassword: false },
          attributes: { objectType: "CustomerUser" },
        },
      });
      assertSuccess(answer);
    },

    /**
     * Makes the user an administrator. Already being one counts as success.
     * @throws ProviderError; refused with code `no_such_role` when the tenant has no role of the configured name.
     */
    async assignAdminRole(tenantId, user, requestId) {
      const path = pathOf`/v1/customers/${tenantId}/directoryroles`;
      const roleName = config.adminRoleName ?? defaultAdminRole;
      const roles = parseResponse(await api({ method: "GET", path, forUser: true }), rolesReply).items;
      const role = roles.find((one) => one.name.toLowerCase() === roleName.toLowerCase());
      if (role === undefined) {
        throw new ProviderError("microsoft", "refused", `GET ${path}`, { code: "no_such_role" });
      }
      const answer = await api({
        method: "POST",
        path: path + pathOf`/${role.id}/usermembers`,
        requestId,
        forUser: true,
        json: {
          Id: user.userId,
          DisplayName: user.displayName,
          UserPrincipalName: user.userPrincipalName,
          Attributes: { ObjectType: "UserMember" },
        },
      });
      if (saysItExists(answer)) return;
      assertSuccess(answer);
    },
  };
}

/**
 * Whether the response means "already exists". No code for it is documented: a 409 means it, and the directory's own 400 has it
 * in its message ("Another object with the same value for property userPrincipalName already exists").
 */
function saysItExists(answer: ProviderResponse): boolean {
  if (answer.status === 409) return true;
  if (answer.status !== 400) return false;
  return /already exist|same value for property/i.test(errorOf(answer).description ?? "");
}
