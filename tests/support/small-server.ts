/** A Remix server with two nested routes that returns its input. */
import { createRequire } from "node:module";
import type { ActionFunction, EntryContext, LoaderFunctionArgs } from "@remix-run/node";

const require = createRequire(import.meta.url);
const { createRequestHandler }: typeof import("@remix-run/node") = require("@remix-run/node");

/** @param action of both routes; without one they refuse posts */
export function smallServer(action?: ActionFunction) {
  const requests: Request[] = [];
  const contexts: EntryContext[] = [];
  let encodings = 0;
  const data = {
    get read() {
      encodings += 1;
      return true;
    },
  };
  const loader = ({ request }: LoaderFunctionArgs) => {
    requests.push(request);
    return data;
  };
  const page = { default: () => null, loader, ...(action === undefined ? {} : { action }) };
  const entry = {
    default: (_request: Request, _status: number, _headers: Headers, context: EntryContext) => {
      contexts.push(context);
      return new Response("page");
    },
  };
  const flags = {
    hasAction: action !== undefined,
    hasErrorBoundary: false,
    hasClientAction: false,
    hasClientLoader: false,
  };
  const assets = {
    root: { id: "root", path: "", module: "", hasLoader: true, ...flags },
    one: { id: "one", parentId: "root", path: "one", module: "", hasLoader: true, ...flags },
  };
  const answer = createRequestHandler(
    {
      routes: {
        root: { id: "root", path: "", module: page },
        one: { id: "one", parentId: "root", path: "one", module: page },
      },
      entry: { module: entry },
      assets: { entry: { module: "", imports: [] }, routes: assets, url: "", version: "1" },
      mode: "production",
      publicPath: "/",
      assetsBuildDirectory: "",
      isSpaMode: false,
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        v3_lazyRouteDiscovery: true,
      },
    },
    "production",
  );
  return { answer, requests, contexts, encodings: () => encodings };
}
