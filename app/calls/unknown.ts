/** Answers unknown addresses below the calls' paths, as JSON. */
export { noSuchCall as action, noSuchCall as loader } from "./shared/route.ts";
