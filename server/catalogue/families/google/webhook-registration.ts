/**
 * Allows our service account to subscribe to Cloud Channel's events. The push itself is a subscription in Google's Pub/Sub, for
 * which we print the command: the store has no permission to create one.
 */

import * as paths from "#server/foundation/paths.ts";
import type { Context } from "#server/platform/context.ts";
import type { VendorWebhookSetup } from "../vendor-webhooks.ts";

export const webhookSetup: VendorWebhookSetup = {
  async register({ google, env }) {
    await google.registerSubscriber(env.GOOGLE_SERVICE_ACCOUNT_EMAIL);
  },

  async check(context) {
    const { google, env } = context;
    const account = `Cloud Channel, ${env.GOOGLE_ACCOUNT_ID}`;
    const found = await google.findSubscribers();
    if (found === null || !found.serviceAccounts.includes(env.GOOGLE_SERVICE_ACCOUNT_EMAIL))
      return [{ account, isRight: false, says: [`${env.GOOGLE_SERVICE_ACCOUNT_EMAIL} is not registered`] }];
    const says = [`${env.GOOGLE_SERVICE_ACCOUNT_EMAIL} may subscribe to ${found.topic}`];
    if (env.GOOGLE_PUSH_EMAIL === "")
      return [{ account, isRight: false, says: [...says, "GOOGLE_PUSH_EMAIL is not set"] }];
    says.push(`Pub/Sub has to push, which is set up once with: ${pushCommand(context, found.topic)}`);
    return [{ account, isRight: true, says }];
  },
};

/**
 * Returns the command that creates the push subscription. Only the registered account may subscribe to the topic, which is in one
 * of Google's projects.
 */
function pushCommand({ env }: Context, topic: string): string {
  const endpoint = new URL(paths.vendorWebhook("google"), env.PUBLIC_URL).href;
  const [, project] = /@([^.]+)\.iam\.gserviceaccount\.com$/.exec(env.GOOGLE_SERVICE_ACCOUNT_EMAIL) ?? [];
  return [
    "gcloud pubsub subscriptions create store-notices",
    `--topic=${topic}`,
    `--push-endpoint=${endpoint}`,
    `--push-auth-service-account=${env.GOOGLE_PUSH_EMAIL}`,
    `--push-auth-token-audience=${endpoint}`,
    ...(project === undefined ? [] : [`--project=${project}`]),
    `--impersonate-service-account=${env.GOOGLE_SERVICE_ACCOUNT_EMAIL}`,
  ].join(" ");
}
