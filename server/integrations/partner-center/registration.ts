/** Where Partner Center sends its webhooks, and what they are about: one registration an account (docs/providers.md, section 1.8). */
import { z } from "zod";
import { assertSuccess, parseResponse, pathOf } from "../http.ts";
import type { Api } from "./api.ts";

export interface NoticeRegistration {
  /** Where they are posted. */
  url: string;
  /** "subscription-updated", "test-created", ... */
  events: string[];
}

/** How the delivery of a test notice stands. */
export interface TestNotice {
  /** "completed" once it has arrived. */
  status: string;
  /** What was met at each attempt, such as "Unauthorized", oldest first. */
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
    /** `GET …/registration/events`: the events there are. @throws ProviderError */
    async listNoticeEvents() {
      return parseResponse(await api({ method: "GET", path: `${path}/events` }), z.array(z.string()));
    },

    /**
     * `GET …/registration`. What Microsoft says where there is none is not documented: nothing, or a 404.
     * @throws ProviderError
     */
    async findNoticeRegistration() {
      const answer = await api({ method: "GET", path });
      if (answer.status === 404) return null;
      assertSuccess(answer);
      return /^\s*(null)?\s*$/.test(answer.text) ? null : parseResponse(answer, registrationReply);
    },

    /** `POST …/registration`, or `PUT` in place of another one. Both may be repeated. @throws ProviderError */
    async registerNotices({ url, events }, isNew) {
      const json = { WebhookUrl: url, WebhookEvents: events };
      return parseResponse(await api({ method: isNew ? "POST" : "PUT", path, json }), registrationReply);
    },

    /**
     * `POST …/registration/validationEvents`: has a `test-created` sent, for which the account has to be registered.
     * @returns with what getTestNotice asks
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
