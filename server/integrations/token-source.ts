/** An access token cached in memory until shortly before it expires. Concurrent callers share one request for a new one. */
import { ProviderError, unexpectedAnswer, withKind } from "./errors.ts";

export interface TokenSource {
  /** Returns a valid access token. Concurrent callers share one request. @throws ProviderError */
  read(): Promise<string>;
  /** Drops `token` from the cache because the API rejected it. A newer one stays. */
  drop(token: string): void;
  /** Requests a new access token, regardless of the cached one. @throws ProviderError */
  renew(): Promise<string>;
}

export interface FreshToken {
  token: string;
  /** Milliseconds from now. */
  lifeMs: number;
}

/**
 * Marks a refused token as misconfigured: it concerns our key or the consent given to us, never a customer (OAuth 2.0, RFC 6749,
 * section 5.2).
 */
function refuseAsMisconfigured(error: unknown): never {
  if (!(error instanceof ProviderError) || error.kind !== "refused" || error.code === unexpectedAnswer)
    throw error;
  throw withKind(error, "misconfigured", "the request for an access token");
}

/** A token this close to its expiry is not used, because the call takes time too. */
const safetyMs = 120_000;

/** @param request asks the provider for a new token */
export function cachedTokenSource(request: () => Promise<FreshToken>): TokenSource {
  let current: { token: string; goodUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { token, lifeMs } = await request().catch(refuseAsMisconfigured);
    // A token valid for only a few minutes is used for half its life, so that it is used at all.
    current = { token, goodUntil: Date.now() + Math.max(lifeMs - safetyMs, lifeMs / 2) };
    return token;
  }

  function once(): Promise<string> {
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    read() {
      if (current !== undefined && Date.now() < current.goodUntil) return Promise.resolve(current.token);
      return once();
    },
    renew: once,
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
