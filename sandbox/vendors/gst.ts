/**
 * The GSTIN look-up under `/gst`, which knows the businesses of gst-register.ts. Every other well-formed number is not found, also one
 * with a wrong check digit.
 */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { hasRegistrationForm } from "#server/foundation/countries/gstin.ts";
import { registeredBusinesses } from "./gst-register.ts";
import { anyOrigin, readJson } from "./http-helpers.ts";

export function gstHandlers(): HttpHandler[] {
  return [
    http.post(anyOrigin("/gst/verification/gstin"), async ({ request }) => {
      const { headers } = request;
      if ((headers.get("x-client-id") ?? "") === "" || (headers.get("x-client-secret") ?? "") === "") {
        return refusal(401, "authentication_failed", "authentication Failed", "authentication_error");
      }
      const body = z.object({ GSTIN: z.string() }).safeParse(await readJson(request).catch(() => undefined));
      if (!body.success)
        return refusal(400, "gstin_missing", "GSTIN is missing in the request", "validation_error");
      const { GSTIN } = body.data;
      if (!hasRegistrationForm(GSTIN))
        return refusal(400, "gstin_invalid", "Invalid GSTIN format", "validation_error");
      const found = registeredBusinesses[GSTIN];
      return HttpResponse.json(found ?? { GSTIN, valid: false, message: "GSTIN Doesn't Exist" });
    }),
  ];
}

function refusal(status: number, code: string, message: string, type: string) {
  return HttpResponse.json({ code, message, type }, { status });
}
