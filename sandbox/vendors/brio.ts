/** Sign-in page of a brio customer, under `/brio`. The product itself is not part of the store, so the page only says so. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { html, page } from "./html.ts";
import { anyOrigin } from "./http-helpers.ts";

export function brioHandlers(): HttpHandler[] {
  return [
    http.get(anyOrigin("/brio"), () =>
      HttpResponse.html(
        page({
          title: "brio",
          body: html`<h1>brio</h1><p>Here a customer signs in with the access code from the mail.</p>`,
        }),
      ),
    ),
  ];
}
