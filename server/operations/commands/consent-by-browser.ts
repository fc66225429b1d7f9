/** Takes a consent in a browser on this machine: prints the link, and listens for the redirect. */
import { createServer } from "node:http";
import type { Country } from "#db/tables/enums.ts";
import { beginConsent, completeConsent } from "#server/catalogue/partner-accounts/consent.ts";
import type { Context } from "#server/platform/context.ts";

/** Long enough for a sign-in with a second factor. */
const waitMs = 15 * 60_000;

/**
 * Listens at the port of the redirect URI until the browser returns, and stores the consent.
 * @param say prints a line
 * @throws ProviderError as completeConsent; Error when no browser returned in time, or the port is taken
 */
export async function consentByBrowser(
  context: Context,
  country: Country,
  say: (line: string) => void,
  timeoutMs = waitMs,
): Promise<void> {
  const redirectUri = context.env.PARTNER_CONSENT_URL;
  const { url, flow } = await beginConsent(context, country, redirectUri);
  const wayBack = listenFor(new URL(redirectUri), timeoutMs);
  await wayBack.listening;
  say(`Open this link and sign in with MFA as a partner user with the Admin agent role:\n\n${url}\n`);
  const { answer, reply } = await wayBack.came;
  try {
    const { userName, hasMfa } = await completeConsent(context, country, { redirectUri, answer, flow });
    say(`${userName} has consented for ${country}.`);
    if (!hasMfa)
      say("Warning: the token doesn't show MFA. Microsoft may reject every request. Consent again with MFA.");
    await reply(200, "Consent saved. You can close this window.");
  } catch (error) {
    await reply(400, "Consent wasn't saved. See the terminal for the reason.");
    throw error;
  }
}

interface CameBack {
  answer: URLSearchParams;
  /** Responds to the browser, and stops listening. */
  reply(status: number, words: string): Promise<void>;
}

function listenFor(
  redirectUri: URL,
  timeoutMs: number,
): { listening: Promise<void>; came: Promise<CameBack> } {
  const server = createServer();
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Behind a proxy the redirect URI has another port, or none.
    server.listen(Number(redirectUri.port) || 3210, "127.0.0.1", resolve);
  });
  const came = new Promise<CameBack>((resolve, reject) => {
    const timer = setTimeout(() => {
      void stop().then(() => reject(new Error("Timed out waiting for Microsoft.")));
    }, timeoutMs);
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", redirectUri);
      if (url.pathname !== redirectUri.pathname || !url.searchParams.has("state")) {
        response.writeHead(404).end();
        return;
      }
      clearTimeout(timer);
      resolve({
        answer: url.searchParams,
        async reply(status, words) {
          response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
          response.end(words);
          await stop();
        },
      });
    });
  });
  // No caller awaits it when listening fails.
  came.catch(() => undefined);
  return { listening, came };
}
