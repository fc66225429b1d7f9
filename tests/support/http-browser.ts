/**
 * A buyer's browser without rendering: keeps cookies, posts forms like a browser on this site, and does not follow redirects, so
 * that a test sees every response. Each one has a separate client address (the store under test trusts one proxy), or the rate
 * limits of one test would refuse the next.
 */

export interface TestResponse {
  status: number;
  headers: Headers;
  /** The page's text, without the break hints inside long words. */
  text: string;
  /** Redirect target, as the server wrote it. */
  location: string | null;
}

/** Posts forms: a `HttpBrowser`, or the session of a real browser (tests/e2e/pages/session.ts). Neither follows a redirect. */
export interface FormBrowser {
  get(path: string): Promise<FormResponse>;
  post(path: string, form: Record<string, string>): Promise<FormResponse>;
}
export type FormResponse = Pick<TestResponse, "status" | "text" | "location">;

export interface RequestOptions {
  method?: string;
  /** null removes a default header. */
  headers?: Record<string, string | null>;
  body?: string | ReadableStream<Uint8Array>;
}

/** Environment for startStack: makes the store trust the client address that HttpBrowser sends. */
export const trustHttpBrowser = { TRUSTED_PROXIES: "1" };

let made = 0;

/** Mailed links that answer programs in JSON. Elsewhere a test sets `Accept` itself, because files are for programs too. */
const alsoCalls = /\/(?:reset|set)[-/]password\//;

export class HttpBrowser implements FormBrowser {
  readonly origin: string;
  readonly address: string;
  readonly #cookies = new Map<string, string>();
  readonly #always: Readonly<Record<string, string>>;

  /** @param always headers of every request, such as the accepted languages */
  constructor(origin: string, always: Readonly<Record<string, string>> = {}) {
    made += 1;
    this.origin = origin;
    this.#always = always;
    this.address = `10.${Math.floor(made / 250)}.${made % 250}.7`;
  }

  get(path: string, headers: RequestOptions["headers"] = {}): Promise<TestResponse> {
    return this.ask(path, { headers });
  }

  /** Posts a form of the current page. */
  post(
    path: string,
    form: Record<string, string>,
    headers: RequestOptions["headers"] = {},
  ): Promise<TestResponse> {
    return this.ask(path, {
      method: "POST",
      headers: {
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    });
  }

  async ask(
    path: string,
    { method = "GET", headers = {}, body }: RequestOptions = {},
  ): Promise<TestResponse> {
    const sent = new Headers({ ...this.#always, "X-Forwarded-For": this.address });
    if (alsoCalls.test(path)) sent.set("Accept", "text/html,*/*;q=0.8");
    if (this.#cookies.size > 0) sent.set("Cookie", this.#cookieHeader());
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    const init: RequestInit & { duplex: "half" } = {
      method,
      headers: sent,
      redirect: "manual",
      duplex: "half",
      ...(body !== undefined && { body }),
    };
    const response = await fetch(new URL(path, this.origin), init);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return {
      status: response.status,
      headers: response.headers,
      text: unbroken(await response.text()),
      location: response.headers.get("location"),
    };
  }

  /** The same user from another address, so that no rate limit applies. */
  fromElsewhere(): HttpBrowser {
    const other = new HttpBrowser(this.origin, this.#always);
    for (const [name, value] of this.#cookies) other.setCookie(name, value);
    return other;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  cookies(): Record<string, string> {
    return Object.fromEntries(this.#cookies);
  }

  hasCookie(name: string): boolean {
    return this.#cookies.has(name);
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const isOver = attributes.some((attribute) => attribute.trim().toLowerCase() === "max-age=0");
    if (isOver || value === "") this.#cookies.delete(name.trim());
    else this.#cookies.set(name.trim(), value);
  }
}

/** Removes the break hints in long emails and domains (app/ui/breakable.tsx), so that tests can search for them. */
function unbroken(html: string): string {
  return html.replaceAll("<wbr/>", "").replaceAll(/<span class="breakable">([^<]*)<\/span>/g, "$1");
}

/** A page's main content: without header and footer, and without the message data of a hydrated page. */
export function mainContentOf(html: string): string {
  const [main] = /<main.*<\/main>/s.exec(html) ?? [];
  if (main === undefined) throw new Error(`The page has no main: ${html.slice(0, 2_000)}`);
  return main;
}

/** Value of a hidden field in a page, in any attribute order. @throws Error when the page has none */
export function hiddenFieldValue(html: string, name: string): string {
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    if (!input.includes(` name="${name}"`)) continue;
    const value = / value="([^"]*)"/.exec(input)?.[1];
    if (value !== undefined) return value;
  }
  throw new Error(`The page has no field "${name}": ${html.slice(0, 2_000)}`);
}
