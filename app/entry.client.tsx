/** Hydrates the pages whose route asks for it (handle.hydrate). Every other page ships no React at all. */
import { RemixBrowser } from "@remix-run/react";
import { type ReactNode, StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { enhanceSteps } from "./enhance/steps.ts";
import { DocumentContext } from "./ui/document-context.ts";
import { TextProvider, textOf } from "./ui/text.tsx";

const messages = document.getElementById("messages")?.getAttribute("href") ?? "";
const { lang: language } = document.documentElement;
/** On their way since the first paint. Without them the page stays as it came, and works as it does without scripts. */
const texts = fetch(messages)
  .then((answer) => answer.json())
  .catch(() => null);

/** Runs once React has the page. Where React finds other words than the server's, it builds the page anew, without what was typed. */
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

const told = await texts;
// For that reason a page on which something has been said meanwhile stays as it is.
if (told !== null && document.querySelector("[data-said], [data-unsent]") === null)
  startTransition(() => {
    hydrateRoot(
      document,
      <TakenOver>
        <StrictMode>
          <DocumentContext.Provider value={{ language, messages }}>
            <TextProvider value={textOf(told)}>
              <RemixBrowser />
            </TextProvider>
          </DocumentContext.Provider>
        </StrictMode>
      </TakenOver>,
    );
  });
