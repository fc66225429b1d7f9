/** From what and from where the visitor comes, for the list of their sessions; and the cookie by which a browser is known again. */
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

/** Of a browser. Its cookie is set, or set again for as long as it may live. */
export async function deviceAndLocationOf(request: ReceivedRequest): Promise<DeviceAndLocation> {
  const cookie = deviceCookie(request.context.env);
  const deviceKey = (await readText(cookie, request.raw)) ?? newToken();
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(deviceKey));
  return { ...clientAndLocationOf(request), deviceKey };
}

/** Of a client that keeps no cookies. */
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
