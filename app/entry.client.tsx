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

/** Runs once React has the page, which may not change before. */
function TakenOver({ children }: { children: ReactNode }) {
  useEffect(() => enhanceSteps(document), []);
  return children;
}

// The loaders' data comes as a stream. RemixBrowser suspends until it is decoded, and no boundary is above it: a key pressed
// meanwhile makes React give up on the whole page ("Root did not complete"). So React begins afterwards.
try {
  RemixBrowser({});
} catch (thrown) {
  if (!(thrown instanceof Promise)) throw thrown;
  await thrown;
}

// On their way since the first paint.
const reported = await fetch(messages)
  .then((answer) => (answer.ok ? answer.json() : null))
  .catch(() => null);
// Under `vite dev` the styles come as elements.
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
  // In one go, so that nobody changes the page between the count and React's taking it over.
  flushSync(() => {
    hydrateRoot(
      document,
      <TakenOver>{import.meta.env.DEV ? <StrictMode>{page}</StrictMode> : page}</TakenOver>,
    );
  });
} else {
  // Without its words, or changed by somebody (http/elements.ts), a page stays as it is, and works as it does without scripts.
  classList.add("unhydrated");
  enhanceSteps(document);
}
