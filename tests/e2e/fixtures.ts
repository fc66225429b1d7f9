/** `test` for browser tests: knows where the store and the sandbox are, and fails when the page reports an error. */
import { test as base, expect } from "playwright/test";

interface Fixtures {
  sandboxUrl: string;
  databaseUrl: string;
  /** True in the project where the browser runs no scripts. */
  scriptsOff: boolean;
  /** Errors a test provokes on purpose: `expectedErrors.push(/409/)`. */
  expectedErrors: RegExp[];
  watchErrors: undefined;
}

/**
 * An address of the running stack.
 * @throws Error when it is used without the set-up
 */
function place(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: global-setup.ts has not run`);
  return value;
}

export const test = base.extend<Fixtures>({
  // The first argument of a fixture must be destructured, even when nothing is taken.
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
  baseURL: async ({}, use) => use(place("STORE_URL")),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  sandboxUrl: async ({}, use) => use(place("SANDBOX_URL")),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  databaseUrl: async ({}, use) => use(place("STORE_DATABASE_URL")),
  scriptsOff: async ({ javaScriptEnabled }, use) => use(!javaScriptEnabled),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),
  watchErrors: [
    async ({ context, expectedErrors }, use) => {
      const errors: { text: string; url: string }[] = [];
      const refused = new Set<string>();
      context.on("console", (message) => {
        if (message.type() === "error") errors.push({ text: message.text(), url: message.location().url });
      });
      context.on("weberror", (webError) => errors.push({ text: String(webError.error()), url: "" }));
      context.on("response", (response) => {
        const asked = ["document", "fetch", "xhr"].includes(response.request().resourceType());
        if (asked && response.status() >= 400 && response.status() < 500) refused.add(response.url());
      });
      await use(undefined);
      const unexpected = errors
        // A form sent back with 400 is an answer like any other, though the browser calls it an error.
        .filter(({ text, url }) => !(text.startsWith("Failed to load resource") && refused.has(url)))
        .map(({ text, url }) => `${text} (${url})`)
        .filter((error) => !expectedErrors.some((expected) => expected.test(error)));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
