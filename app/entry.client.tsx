/** Hydrates the pages whose route asks for it (handle.hydrate). Every other page ships no React at all. */
import { RemixBrowser } from "@remix-run/react";
import { type ReactNode, StrictMode, useEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { enhanceSteps } from "./enhance/order-steps.ts";
import { DocumentContext } from "./ui/document-context.ts";
import { TextProvider, textOf } from "./ui/text.tsx";

const link = document.querySelector<HTMLLinkElement>("#messages");
const messages = link?.href ?? "";
const { lang: language, classList } = document.documentElement;

/** Runs once React has hydrated the page, which must not change before. */
function TakenOver({ children }: { children: ReactNode }) {
  useEffect(() => enhanceSteps(document), []);
  return children;
}

// The loaders' data is streamed. RemixBrowser suspends until it is decoded, with no boundary above it: a key pressed during that
// time makes React give up on the whole page ("Root did not complete"). So hydrate only afterwards.
try {
  RemixBrowser({});
} catch (thrown) {
  if (!(thrown instanceof Promise)) throw thrown;
  await thrown;
}

// Fetched since the first paint.
const reported = await fetch(messages)
  .then((answer) => (answer.ok ? answer.json() : null))
  .catch(() => null);
// Under `vite dev` the styles are inserted as elements.
const isAsSent =
  import.meta.env.DEV || document.querySelectorAll("*").length === Number(link?.dataset.elements);
if (reported !== null && isAsSent) {
  const page = (
    <DocumentContext.Provider value={{ language, messages }}>
      <TextProvider value={textOf(reported)}>
        <RemixBrowser />
      </TextProvider>
    </DocumentContext.Provider>
  );
  // Synchronous, so that nothing changes the page between the count and hydration.
  flushSync(() => {
    hydrateRoot(
      document,
      <TakenOver>{import.meta.env.DEV ? <StrictMode>{page}</StrictMode> : page}</TakenOver>,
    );
  });
} else {
  // A page without its messages, or one that was changed (http/elements.ts), is not hydrated and works as without scripts.
  classList.add("unhydrated");
  enhanceSteps(document);
}
