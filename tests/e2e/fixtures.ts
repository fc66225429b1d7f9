/**
 * `test` for browser tests: knows the addresses of the store and the sandbox, gives each test a separate network address, and
 * fails when a page reports an error.
 */
import { randomInt } from "node:crypto";
import pg from "pg";
import { type BrowserContext, test as base, expect, type Page } from "playwright/test";
import { actByKeyboard } from "./keyboard.ts";
import { expectAccessible, lookedAtElsewhere } from "./pages/accessible.ts";
import { Shop } from "./pages/shop.ts";

/** Options of a project's browser. */
export interface Options {
  /** True in the project without a pointer; see keyboard.ts. */
  keyboardOnly: boolean;
}

/** Text by which run.mjs recognises a failure that a retry must not excuse. */
const pageErrors = "errors in the browser's console";

export type Sql = (text: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>;
export type Control = (lever: string, body: unknown) => Promise<unknown>;

interface Fixtures {
  /** The store in this test's browser. */
  shop: Shop;
  /** The store on another device, which shares nothing with this one. */
  otherDevice: () => Promise<Shop>;
  /** Queries the database, to change times or to check rows. */
  sql: Sql;
  /** Calls the sandbox's control API: `control("approve", { domain })`. */
  control: Control;
  /** expectAccessible of pages/accessible.ts, for this test's page unless another is given. */
  expectAccessible: (page?: Page) => Promise<void>;
  sandboxUrl: string;
  databaseUrl: string;
  /** True in the project where the browser runs no scripts. */
  scriptsOff: boolean;
  withoutPointer: undefined;
  lookElsewhere: undefined;
  /** Errors a test provokes on purpose: `expectedErrors.push(/409/)`. */
  expectedErrors: RegExp[];
  watchErrors: undefined;
}

/**
 * An address of the running stack.
 * @throws Error when the set-up has not run
 */
function place(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: global-setup.ts has not run`);
  return value;
}

export const test = base.extend<Fixtures & Options>({
  keyboardOnly: [false, { option: true }],
  withoutPointer: [
    async ({ page, keyboardOnly }, use) => {
      const giveBack = keyboardOnly ? actByKeyboard(page) : () => undefined;
      await use(undefined);
      giveBack();
    },
    { auto: true },
  ],
  // The first argument of a fixture must be destructured, even when nothing is taken.
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
  baseURL: async ({}, use) => use(place("STORE_URL")),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  sandboxUrl: async ({}, use) => use(place("SANDBOX_URL")),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  databaseUrl: async ({}, use) => use(place("STORE_DATABASE_URL")),
  scriptsOff: async ({ javaScriptEnabled }, use) => use(!javaScriptEnabled),
  // Rate limits count by network: tests do not use up each other's.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use) => use({ "X-Forwarded-For": someAddress() }),
  shop: async ({ page, scriptsOff, sandboxUrl }, use) => use(new Shop(page, { scriptsOff, sandboxUrl })),
  otherDevice: async ({ browser, expectedErrors, scriptsOff, sandboxUrl }, use) => {
    const opened: { context: BrowserContext; unexpected: () => string[] }[] = [];
    await use(async () => {
      const context = await browser.newContext({ extraHTTPHeaders: { "X-Forwarded-For": someAddress() } });
      opened.push({ context, unexpected: watch(context, expectedErrors) });
      return new Shop(await context.newPage(), { scriptsOff, sandboxUrl });
    });
    for (const { context } of opened) await context.close();
    expect(
      opened.flatMap(({ unexpected }) => unexpected()),
      pageErrors,
    ).toEqual([]);
  },
  sql: async ({ databaseUrl }, use) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    // The embedded database ends with its process, which cuts idle connections.
    pool.on("error", () => undefined);
    await use(async (text, values) => (await pool.query(text, values)).rows);
    await pool.end();
  },
  control: async ({ request, sandboxUrl }, use) =>
    use(async (lever, body) => {
      const response = await request.post(`${sandboxUrl}/control/${lever}`, { data: body });
      expect(response.status(), await response.text()).toBe(200);
      return response.json();
    }),
  lookElsewhere: [
    async ({ scriptsOff }, use, { annotations }) => {
      if (scriptsOff) annotations.push({ type: lookedAtElsewhere });
      await use(undefined);
    },
    { auto: true },
  ],
  expectAccessible: async ({ page: own }, use) => use((page = own) => expectAccessible(page)),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),
  watchErrors: [
    async ({ context, expectedErrors }, use) => {
      const unexpected = watch(context, expectedErrors);
      await use(undefined);
      expect(unexpected(), pageErrors).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Collects the errors that pages of a context report. */
function watch(context: BrowserContext, expectedErrors: readonly RegExp[]): () => string[] {
  const errors: { text: string; url: string }[] = [];
  const refused = new Set<string>();
  context.on("console", (message) => {
    if (message.type() === "error") errors.push({ text: message.text(), url: message.location().url });
  });
  context.on("weberror", (webError) => errors.push({ text: String(webError.error()), url: "" }));
  context.on("response", (response) => {
    const isDocumentOrFetch = ["document", "fetch", "xhr"].includes(response.request().resourceType());
    if (isDocumentOrFetch && response.status() >= 400 && response.status() < 500) refused.add(response.url());
  });
  return () =>
    errors
      // A form sent back with 400 is an ordinary response, although the browser logs an error. The page's URL may end with a
      // fragment from the error summary, unlike the response's.
      .filter(
        ({ text, url }) =>
          !(text.startsWith("Failed to load resource") && refused.has(url.replace(/#.*$/, ""))),
      )
      .map(({ text, url }) => `${text} (${url})`)
      .filter((error) => !expectedErrors.some((expected) => expected.test(error)));
}

function someAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
