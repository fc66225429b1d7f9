/** Posts forms in a browser's own session without showing a page: the fast way to the screen under test. */
import type { Page } from "playwright/test";
import type { FormBrowser, FormResponse } from "#tests/support/http-browser.ts";

export function sessionOf({ request }: Page): FormBrowser {
  async function ask(path: string, form?: Record<string, string>): Promise<FormResponse> {
    const response = await request.fetch(path, {
      maxRedirects: 0,
      headers: { Accept: "text/html", ...(form !== undefined && { "Sec-Fetch-Site": "same-origin" }) },
      ...(form !== undefined && { method: "POST", form }),
    });
    return {
      status: response.status(),
      text: await response.text(),
      location: response.headers().location ?? null,
    };
  }
  return { get: (path) => ask(path), post: ask };
}
