/** A consent given in a browser on this machine: prints the link, and listens for the way back. */
import { createServer } from "node:http";
import type { Country } from "#db/tables/enums.ts";
import type { Context } from "#server/context.ts";
import { beginConsent, takeConsent } from "#server/partner-accounts/consent.ts";

/** Long enough for a sign-in with a second factor. */
const patienceMs = 15 * 60_000;

/**
 * Listens at the port of the redirect URI until the browser comes back, and stores the consent.
 * @param say prints a line
 * @throws ProviderError as takeConsent; Error when nobody came back in time, or the port is taken
 */
export async function consentByBrowser(
  context: Context,
  country: Country,
  say: (line: string) => void,
  timeoutMs = patienceMs,
): Promise<void> {
  const redirectUri = context.env.PARTNER_CONSENT_URL;
  const { url, flow } = await beginConsent(context, country, redirectUri);
  const wayBack = listenFor(new URL(redirectUri), timeoutMs);
  await wayBack.listening;
  say(`Open this link, and sign in as an Admin agent of the partner, with a second factor:\n\n${url}\n`);
  const { answer, reply } = await wayBack.came;
  try {
    const { userName, hasMfa } = await takeConsent(context, country, { redirectUri, answer, flow });
    say(`${userName} has consented for ${country}.`);
    if (!hasMfa)
      say(
        "Warning: the token does not say that a second factor was used. Microsoft may refuse every call; consent again, signed in with one.",
      );
    await reply(200, "The consent is stored. You may close this window.");
  } catch (error) {
    await reply(400, "The consent was not stored. The terminal says why.");
    throw error;
  }
}

interface CameBack {
  answer: URLSearchParams;
  /** Answers the browser, and listens no longer. */
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
      void stop().then(() => reject(new Error("Nobody came back from Microsoft in time.")));
    }, timeoutMs);
    server.on("request", (request, response) => {
      const asked = new URL(request.url ?? "/", redirectUri);
      if (asked.pathname !== redirectUri.pathname || !asked.searchParams.has("state")) {
        response.writeHead(404).end();
        return;
      }
      clearTimeout(timer);
      resolve({
        answer: asked.searchParams,
        async reply(status, words) {
          response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
          response.end(words);
          await stop();
        },
      });
    });
  });
  // Nobody waits for it when listening fails.
  came.catch(() => undefined);
  return { listening, came };
}
