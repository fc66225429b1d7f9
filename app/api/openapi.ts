/** GET /api/openapi.json: describes these calls by the schemas that validate them. */
import { openApiDocument } from "./shared/openapi-document.ts";
import { apiLoader, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "This document.",
    tag: "Service",
    access: publicAccess,
    query: z.unknown(),
    reply: z.looseObject({ openapi: z.literal("3.1.0") }),
  },
  async ({ context }) => openApiDocument(context.env.PUBLIC_URL),
);
