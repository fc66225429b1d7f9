/**
 * Health check for load balancers: this process and its database respond. Whoever watches the store also sees which vendors are
 * paused and how the consent of each partner account stands, which changes nothing in the answer's status.
 */
import { countryCodes } from "#server/countries/country.ts";
import { pausesForHealth } from "#server/fulfilment/pause.ts";
import { readStandings } from "#server/partner-accounts/standing.ts";
import { anybody, apiLoader, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether the store and its database answer.",
    notes: "A partner account without a consent, or with an old one, leaves the store well: `ok` stays true.",
    tag: "Service",
    access: anybody,
    query: z.unknown(),
    reply: z.object({
      ok: z.literal(true),
      paused: z
        .array(z.object({ account: z.string(), since: z.iso.datetime() }))
        .describe(
          "vendor accounts that take no orders from the store at the moment; the store itself is well",
        ),
      partners: z
        .array(
          z.object({
            country: z.enum(countryCodes),
            consent: z.enum(["none", "stored"]),
            days: z.int().nullable().describe("since a user of the partner consented"),
            mfa: z.boolean().nullable().describe("whether they had a second factor"),
            user: z.string().nullable().describe("who, with most of the name left out"),
          }),
        )
        .describe("the accounts at Partner Center"),
    }),
  },
  async ({ context }) => {
    const standings = await readStandings({ env: context.env, db: context.healthDb });
    return {
      ok: true as const,
      paused: await pausesForHealth(context),
      partners: standings.map(({ country, consent }) => ({
        country,
        consent: consent === null ? ("none" as const) : ("stored" as const),
        days: consent?.days ?? null,
        mfa: consent?.hasMfa ?? null,
        user: consent === null ? null : shortened(consent.userName),
      })),
    };
  },
);

/** "a***@contoso.example": everybody may ask, and an administrator's name would help whoever phishes. */
function shortened(userName: string): string {
  return userName.replace(/^(.)[^@]*/, "$1***");
}
