/** Shared by the tests of Partner Center: a client, a server that answers one address of its API, and the headers of writes. */
import { expect } from "vitest";
import { createPartnerCenter } from "#server/integrations/partner-center.ts";
import { answering, json, wire } from "./support.ts";

export const api = "https://partner.test";
export const login = "https://login.test";
export const tenant = "5c1cbb1d-0c0d-4f9d-9d0d-3f2c2bb8a111";
export const requestId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const tokenUrl = `${login}/hubs.example/oauth2/token`;
export const guid = /^[0-9a-f-]{36}$/;

/** Starts a server for the test file; call it at the top level. */
export function startPartnerCenter() {
  const server = wire();
  const partnerCenter = createPartnerCenter({
    apiUrl: `${api}/`,
    pricesUrl: "https://prices.example",
    loginUrl: login,
    partnerTenant: "hubs.example",
    clientId: "client",
    clientSecret: "hush",
    timeoutMs: 1000,
    consent: { readRefreshToken: async () => "R1", replaceRefreshToken: async () => {} },
  });

  /** Answers one address of the API, and token requests. */
  function on(path: string, ...replies: (() => Response)[]) {
    const token = answering(tokenUrl, json({ access_token: "T1", expires_in: "3599" }));
    const { handler, sent } = answering(`${api}${path}`, ...replies);
    server.use(handler, token.handler);
    return sent;
  }
  return { server, partnerCenter, on };
}

export const empty = (status: number) => () => new Response(null, { status });

export const writeHeaders = {
  authorization: "Bearer T1",
  "content-type": "application/json",
  "ms-requestid": requestId,
  "ms-correlationid": expect.stringMatching(guid),
  "ms-contract-version": "v1",
  "x-locale": "en-US",
};
