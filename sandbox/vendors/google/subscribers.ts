/**
 * The Pub/Sub topic of an account's events, and the service accounts that may subscribe to it. Pub/Sub subscriptions are not
 * simulated.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import { type Call, channel, GoogleError, parse, read, write } from "./calls.ts";
import { accountName, paths } from "./paths.ts";

const registering = z.object({ serviceAccount: z.string() });

export function googleSubscriberHandlers(sandbox: Sandbox): HttpHandler[] {
  const subscribersOf = (call: Call) => sandbox.state.google.subscribers[accountName(call)] ?? [];
  return [
    http.get(
      paths.account("listSubscribers"),
      read(sandbox, channel, (call) => {
        const serviceAccounts = subscribersOf(call);
        if (serviceAccounts.length === 0) throw new GoogleError("NOT_FOUND", "The topic could not be found.");
        return { topic: topicOf(call), serviceAccounts };
      }),
    ),
    http.post(
      paths.account("register"),
      write(sandbox, channel, (call) => {
        const { serviceAccount } = parse(registering, call.body);
        if (!/^[^@\s]+@[^@\s]+$/.test(serviceAccount))
          throw new GoogleError("INVALID_ARGUMENT", `Invalid service account: ${serviceAccount}.`);
        const all = new Set([...subscribersOf(call), serviceAccount]);
        sandbox.state.google.subscribers[accountName(call)] = [...all];
        return { body: { topic: topicOf(call) }, kind: "google.subscriber.register" };
      }),
    ),
  ];
}

const topicOf = (call: Call) => `projects/cloudchannel/topics/${call.param("account")}`;
