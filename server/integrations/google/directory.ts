/**
 * The buyer's administrator in the new domain. Provisioning creates the user without a password, so the buyer's password is
 * set here, through the Directory API.
 */
import { z } from "zod";
import { pathOf } from "../http.ts";
import type { Api } from "./api.ts";
import { assertOk, googleError, readReply } from "./errors.ts";

export interface NewGoogleUser {
  /** `name@domain`. */
  email: string;
  givenName: string;
  familyName: string;
  password: string;
}

export interface EnsureUserResult {
  outcome: "created" | "updated";
  userId: string;
}

export interface DirectoryCalls {
  ensureUser(user: NewGoogleUser): Promise<EnsureUserResult>;
  setUserPassword(userKey: string, password: string): Promise<void>;
  makeAdmin(userKey: string): Promise<void>;
}

const userReply = z.object({ id: z.string().min(1) });

const usersPath = "/admin/directory/v1/users";

export function directoryCalls(api: Api): DirectoryCalls {
  async function findUser(userKey: string): Promise<string | null> {
    const path = usersPath + pathOf`/${userKey}`;
    const answer = await api({ api: "directory", method: "GET", path });
    return answer.status === 404 ? null : readReply(answer, userReply).id;
  }

  /**
   * Sets the password without forcing a change at the first sign-in, because the buyer chose it. A PUT changes only the fields it
   * contains.
   */
  async function setUserPassword(userKey: string, password: string): Promise<void> {
    const answer = await api({
      api: "directory",
      method: "PUT",
      path: usersPath + pathOf`/${userKey}`,
      json: { password, changePasswordAtNextLogin: false },
      secrets: [password],
    });
    assertOk(answer);
  }

  return {
    /**
     * Returns the user with this address and password, created if missing: `GET`, then `POST` or `PUT`. Idempotent.
     * @throws ProviderError; transient while Google is still creating the user.
     */
    async ensureUser(user) {
      const existing = await findUser(user.email);
      if (existing !== null) {
        await setUserPassword(existing, user.password);
        return { outcome: "updated", userId: existing };
      }
      const answer = await api({
        api: "directory",
        method: "POST",
        path: usersPath,
        json: {
          primaryEmail: user.email,
          name: { givenName: user.givenName, familyName: user.familyName },
          password: user.password,
          changePasswordAtNextLogin: false,
        },
        secrets: [user.password],
      });
      if (answer.status !== 409) return { outcome: "created", userId: readReply(answer, userReply).id };
      // Created between the two calls, by provisioning or by another attempt of ours. An alias remains a refusal.
      const made = await findUser(user.email);
      if (made === null) throw googleError(answer);
      await setUserPassword(made, user.password);
      return { outcome: "updated", userId: made };
    },

    /**
     * `PUT .../users/{userKey}`, by id or address.
     * @throws ProviderError; transient while Google is still creating the user.
     */
    setUserPassword,

    /**
     * `POST .../users/{userKey}/makeAdmin`: makes a super administrator. Idempotent.
     * @throws ProviderError; transient while Google is still creating the user.
     */
    async makeAdmin(userKey) {
      const path = usersPath + pathOf`/${userKey}/makeAdmin`;
      assertOk(await api({ api: "directory", method: "POST", path, json: { status: true } }));
    },
  };
}
