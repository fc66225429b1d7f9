/** Every address that is not in routes.ts. */
import { z } from "zod";
import { notFound } from "#server/errors.ts";
import { pageLoader } from "../../http/page.ts";

export const loader = pageLoader(z.unknown(), async () => {
  throw notFound();
});

export default function NotFound() {
  return null;
}
