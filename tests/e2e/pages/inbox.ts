/** The store's mail, as received by the sandbox. */
import { expect, type Page } from "playwright/test";
import { z } from "zod";

const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), sha256: z.string() })),
});
export type Mail = z.infer<typeof mail>;

export class Inbox {
  readonly #page: Page;
  readonly #sandboxUrl: string;
  constructor(page: Page, sandboxUrl: string) {
    this.#page = page;
    this.#sandboxUrl = sandboxUrl;
  }

  /** Newest first. */
  async read(to: string): Promise<Mail[]> {
    const response = await this.#page.request.get(
      `${this.#sandboxUrl}/inbox.json?${new URLSearchParams({ to })}`,
    );
    return z.array(mail).parse(await response.json());
  }

  /** Waits for the mail, because a job sends it. */
  async wait(to: string, subject: string | RegExp): Promise<Mail> {
    const found = async () =>
      (await this.read(to)).find((each) =>
        typeof subject === "string" ? each.subject === subject : subject.test(each.subject),
      );
    await expect
      .poll(async () => (await found()) !== undefined, { message: `mail: ${subject}`, intervals: [100] })
      .toBe(true);
    const first = await found();
    if (first === undefined) throw new Error("The mail is gone again.");
    return first;
  }

  /** The single link of a mail. */
  static linkIn({ text }: Mail): string {
    const link = /https?:\/\/\S+/.exec(text)?.[0];
    if (link === undefined) throw new Error(`No link in: ${text}`);
    return link;
  }
}
