/** Answers unknown addresses below the calls' paths, as JSON. */
export { unknownEndpoint as action, unknownEndpoint as loader } from "./shared/route.ts";
