/** Subscribers of Cloud Channel's events: service accounts registered for the Pub/Sub topic of the reseller's account. */
import { z } from "zod";
import { pathOf } from "../http.ts";
import type { Api } from "./api.ts";
import type { GoogleConfig } from "./config.ts";
import { readReply } from "./errors.ts";

/** The topic, `projects/{p}/topics/{t}`, and the emails of the service accounts that may subscribe to it. */
export interface Subscribers {
  topic: string;
  serviceAccounts: string[];
}

export interface SubscriberCalls {
  findSubscribers(): Promise<Subscribers | null>;
  registerSubscriber(serviceAccount: string): Promise<string>;
}

const subscribersReply = z.object({
  topic: z.string().default(""),
  serviceAccounts: z.array(z.string()).default([]),
});
const registeredReply = z.object({ topic: z.string().min(1) });

export function subscriberCalls(api: Api, config: GoogleConfig): SubscriberCalls {
  const account = pathOf`/v1/accounts/${config.accountId}`;
  return {
    /**
     * `GET /v1/accounts/{a}:listSubscribers`, its first page, of 100; null while the account has no topic.
     * @throws ProviderError
     */
    async findSubscribers() {
      const answer = await api({
        api: "channel",
        method: "GET",
        path: `${account}:listSubscribers`,
        query: { pageSize: "100" },
      });
      if (answer.status === 404) return null;
      const found = readReply(answer, subscribersReply);
      return found.topic === "" ? null : found;
    },

    /**
     * `POST /v1/accounts/{a}:register`: lets a service account subscribe to the topic, which is created for the first one.
     * @returns the topic
     * @throws ProviderError; refused with PERMISSION_DENIED unless GOOGLE_RESELLER_ADMIN is a super administrator,
     *   INVALID_ARGUMENT for text that is not a service account
     */
    async registerSubscriber(serviceAccount) {
      const path = `${account}:register`;
      return readReply(
        await api({ api: "channel", method: "POST", path, json: { serviceAccount } }),
        registeredReply,
      ).topic;
    },
  };
}
