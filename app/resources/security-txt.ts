/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { fileLoader } from "../api/shared/route.ts";

const dayMs = 86_400_000;
/** Validity, at most a year (RFC 9116). Computed for every response, so it does not expire while the store runs. */
const goodForDays = 180;

export const loader = fileLoader(async ({ context: { env } }) => {
  const expires = new Date(Math.floor(Date.now() / dayMs + goodForDays) * dayMs);
  const lines = [
    `Contact: ${brand.securityContact}`,
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${new URL(paths.securityTxt(), env.PUBLIC_URL).href}`,
    "Preferred-Languages: en",
    "",
  ];
  return new Response(lines.join("\n"), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
});
