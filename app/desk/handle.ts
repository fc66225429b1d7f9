/** What every page of the desk asks of the document. Apart from door.ts, which no browser may load. */
import type { Handle } from "../ui/handle.ts";

export const deskHandle: Handle = { pageStyles: true, desk: true };
