/** Hydrates the pages whose route asks for it (handle.hydrate). Every other page ships no React at all. */
import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { enhanceSteps } from "./enhance/steps.ts";
import { DocumentContext } from "./ui/document-context.ts";
import { TextProvider, textOf } from "./ui/text.tsx";

enhanceSteps(document);

const messages = document.getElementById("messages")?.textContent ?? "{}";
const { lang: language } = document.documentElement;

/**
 * When the loaders' data, which comes as a stream, is decoded. RemixBrowser suspends until then, and no boundary is above it:
 * a key pressed meanwhile makes React give up on the whole page ("Root did not complete"). So React begins afterwards.
 */
async function dataDecoded() {
  try {
    RemixBrowser({});
  } catch (thrown) {
    if (!(thrown instanceof Promise)) throw thrown;
    await thrown;
  }
}

await dataDecoded();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentContext.Provider value={{ language, messages }}>
        <TextProvider value={textOf(JSON.parse(messages))}>
          <RemixBrowser />
        </TextProvider>
      </DocumentContext.Provider>
    </StrictMode>,
  );
});
