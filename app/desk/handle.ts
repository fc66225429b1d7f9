/** Route handle of every Desk page. Separate from route-builders.ts, which no browser may load. */
import type { Handle } from "../ui/handle.ts";

export const deskHandle: Handle = { pageStyles: true, desk: true };
