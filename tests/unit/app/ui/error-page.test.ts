/** Error pages by their cause: each has its own texts and a link onwards. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorPage } from "#app/ui/error-page.tsx";
import { TextProvider } from "#app/ui/text.tsx";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";

function show(
  error: unknown,
  supportUrl: string | null = null,
  unmatched?: true,
  language: LanguageId = "en",
  here = "/cart?page=2",
): { html: string; words: string } {
  const page = createElement(ErrorPage, { error, here, supportUrl, unmatched });
  const html = renderToStaticMarkup(createElement(TextProvider, { value: textIn(language) }, page));
  return { html, words: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

/** A route builder's refusal in the form that Remix passes to an error boundary. */
function refusal(status: number, message: string): unknown {
  return {
    status,
    statusText: "",
    internal: false,
    data: { message, requestId: "a-request", supportUrl: "mailto:support@example.com", title: "A title" },
  };
}

test.each([
  [404, "We could not find that order.", "We could not find that page", false],
  [403, "Viewers may look.", "You don't have access to this page", false],
  [409, "It has been paid for.", "Your request didn't go through", false],
  [405, "Method not allowed", "Your request didn't go through", false],
  [429, "Too many attempts. Please try again in 10 minutes.", "Please wait a moment", true],
  [503, "Our provider isn't responding.", "Something went wrong", true],
  [500, "Unexpected Application Error!", "Unexpected Application Error!", true],
] as const)("shows status %i", (status, message, heading, mayTryAgain) => {
  const { html, words } = show(refusal(status, message));
  expect(html).toContain(`<h1>${heading.replace("'", "&#x27;")}</h1>`);
  // Faults and missing pages have their own texts; refusals show the server's message, which may say how long to wait.
  if (status !== 404 && status !== 500) expect(words.replace("&#x27;", "'")).toContain(message);
  expect(html.includes('href="/cart?page=2"')).toBe(mayTryAgain);
  expect(html).toContain("Go to store");
  expect(html).toContain("mailto:support@example.com?subject=Request%20a-request");
  expect(words).toContain("Request a-request");
});

test("links to Desk on Desk's pages, without texts for customers", () => {
  const lost = refusal(404, "We could not find that order.");
  const { html, words } = show(lost, "mailto:support@example.com", undefined, "en", "/desk/orders/x?page=2");
  expect(html).toContain('href="/desk">Go to Desk</a>');
  expect(words).toContain("We could not find that order.");
  expect(words).not.toMatch(/another account|Contact support|Go to store/);
});

test("keeps the specification's heading for an unknown address, and names the path", () => {
  const { html, words } = show(refusal(404, "We could not find that page."), null, true);
  expect(html).toContain("<h1>Unexpected Application Error!</h1>");
  // Without the query, which may contain a token.
  expect(words).toContain("There is no page at /cart.");
  expect(html).toContain("Go to store");
  expect(html).not.toContain("Try again");
});

test("treats an error in the browser as a fault of the store", () => {
  const { html, words } = show(new TypeError("Failed to fetch"), "https://help.example.com");
  expect(html).toContain("<h1>Unexpected Application Error!</h1>");
  expect(html).toContain('href="https://help.example.com"');
  expect(words).not.toMatch(/Failed to fetch|Request/);
  expect(show(new Error("chunk"), null).html).not.toContain("Contact support");
});

test("translates every text into the visitor's language", () => {
  for (const status of [400, 403, 404, 429, 500, 503]) {
    const { words } = show(refusal(status, "कारण"), "mailto:support@example.com", undefined, "hi");
    expect(words.replace("a-request", "")).not.toMatch(/[A-Za-z]{2}/);
  }
  expect(show(refusal(404, ""), null, true, "hi").words).toContain("/cart पर कोई पेज नहीं है।");
});
