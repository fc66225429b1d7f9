/** Matches the types to the build setting: loaders return data as it is, without a JSON round trip. */
import "@remix-run/node";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}
