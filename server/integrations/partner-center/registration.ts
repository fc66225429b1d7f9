/** Registration of Partner Center's webhooks, their address and events: one per account (docs/providers.md, section 1.8). */
import { z } from "zod";
import { assertSuccess, parseResponse, pathOf } from "../http.ts";
import type { Api } from "./api.ts";

export interface NoticeRegistration {
  /** Address to which they are posted. */
  url: string;
  /** "subscription-updated", "test-created", ... */
  events: string[];
}

/** Delivery state of a test webhook. */
export interface TestNotice {
  /** "completed" once it has arrived. */
  status: string;
  /** Result of each attempt, such as "Unauthorized", oldest first. */
  attempts: string[];
}

export interface RegistrationCalls {
  listNoticeEvents(): Promise<string[]>;
  findNoticeRegistration(): Promise<NoticeRegistration | null>;
  registerNotices(registration: NoticeRegistration, isNew: boolean): Promise<NoticeRegistration>;
  sendTestNotice(): Promise<string>;
  getTestNotice(correlationId: string): Promise<TestNotice>;
}

const registrationReply = z
  .object({ WebhookUrl: z.string(), WebhookEvents: z.array(z.string()) })
  .transform((wire): NoticeRegistration => ({ url: wire.WebhookUrl, events: wire.WebhookEvents }));

const sentReply = z.object({ correlationId: z.string().min(1) });

const testReply = z
  .object({
    status: z.string(),
    results: z
      .array(z.object({ responseCode: z.string().nullish(), responseMessage: z.string().nullish() }))
      .nullish(),
  })
  .transform(
    (wire): TestNotice => ({
      status: wire.status,
      attempts: (wire.results ?? []).map(({ responseCode, responseMessage }) =>
        [responseCode, responseMessage].filter(Boolean).join(": "),
      ),
    }),
  );

const path = "/webhooks/v1/registration";

export function registrationCalls(api: Api): RegistrationCalls {
  return {
    /** `GET …/registration/events`: the existing events. @throws ProviderError */
    async listNoticeEvents() {
      return parseResponse(await api({ method: "GET", path: `${path}/events` }), z.array(z.string()));
    },

    /**
     * `GET …/registration`. The response without a registration is not documented: empty, or a 404.
     * @throws ProviderError
     */
    async findNoticeRegistration() {
      const answer = await api({ method: "GET", path });
      if (answer.status === 404) return null;
      assertSuccess(answer);
      return /^\s*(null)?\s*$/.test(answer.text) ? null : parseResponse(answer, registrationReply);
    },

    /** `POST …/registration`, or `PUT` to replace an existing one. Both may be repeated. @throws ProviderError */
    async registerNotices({ url, events }, isNew) {
      const json = { WebhookUrl: url, WebhookEvents: events };
      return parseResponse(await api({ method: isNew ? "POST" : "PUT", path, json }), registrationReply);
    },

    /**
     * `POST …/registration/validationEvents`: requests a `test-created` webhook, which needs a registration.
     * @returns the id for getTestNotice
     * @throws ProviderError; transient (429) for more than 2 a minute
     */
    async sendTestNotice() {
      const answer = await api({ method: "POST", path: `${path}/validationEvents` });
      return parseResponse(answer, sentReply).correlationId;
    },

    /** `GET …/registration/validationEvents/{correlationId}`, for 7 days. @throws ProviderError */
    async getTestNotice(correlationId) {
      const one = path + pathOf`/validationEvents/${correlationId}`;
      return parseResponse(await api({ method: "GET", path: one }), testReply);
    },
  };
}
