/** Device and location of a visitor for their list of sessions, and the cookie by which we recognise a browser. */
import type { DeviceAndLocation } from "#server/accounts/devices.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { newToken } from "#server/foundation/security/token.ts";
import type { Context } from "#server/platform/context.ts";
import { deviceCookie, readText } from "./cookies.ts";

/** A request whose visitor has not been read yet. */
interface ReceivedRequest {
  context: Context;
  raw: Request;
  clientAddress: string;
  responseHeaders: Headers;
}

/** Device and location of a browser. Sets its cookie, or extends it to its full lifetime. */
export async function deviceAndLocationOf(request: ReceivedRequest): Promise<DeviceAndLocation> {
  const cookie = deviceCookie(request.context.env);
  const deviceKey = (await readText(cookie, request.raw)) ?? newToken();
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(deviceKey));
  return { ...clientAndLocationOf(request), deviceKey };
}

/** Client and location of a caller that keeps no cookies. */
export function clientAndLocationOf({
  context,
  raw,
  clientAddress,
}: Omit<ReceivedRequest, "responseHeaders">): DeviceAndLocation {
  const header = context.env.CLIENT_COUNTRY_HEADER;
  const country = header === "" ? "" : (raw.headers.get(header) ?? "");
  return {
    client: raw.headers.get("user-agent") ?? "",
    network: shortNetwork(clientAddress),
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    deviceKey: null,
  };
}
