/** An access token held in memory until shortly before it expires; concurrent callers share one request for a new one. */
export interface TokenSource {
  /** A valid access token; concurrent callers share one request. @throws ProviderError */
  read(): Promise<string>;
  /** Forgets `token` because the API turned it down; a newer one stays. */
  drop(token: string): void;
}

export interface FreshToken {
  token: string;
  /** Milliseconds from now. */
  lifeMs: number;
}

/** A token this close to its end is not used: the call it is for takes time too. */
const safetyMs = 120_000;

/** @param request asks the provider for a new token */
export function cachedTokenSource(request: () => Promise<FreshToken>): TokenSource {
  let current: { token: string; goodUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { token, lifeMs } = await request();
    // A token of a few minutes gets half its life, so that it is used at all.
    current = { token, goodUntil: Date.now() + Math.max(lifeMs - safetyMs, lifeMs / 2) };
    return token;
  }

  return {
    read() {
      if (current !== undefined && Date.now() < current.goodUntil) return Promise.resolve(current.token);
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
