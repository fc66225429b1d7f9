/** An address under which there are calls, and here none: said as JSON. */
export { noSuchCall as action, noSuchCall as loader } from "./shared/route.ts";
