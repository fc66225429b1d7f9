/** Hydrates the pages whose route asks for it (handle.hydrate). Every other page ships no React at all. */
import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { enhanceSteps, followTyped } from "./enhance/steps.ts";
import { DocumentContext } from "./ui/document-context.ts";
import { TextProvider, textOf } from "./ui/text.tsx";

enhanceSteps(document);

const messages = document.getElementById("messages")?.getAttribute("href") ?? "";
const { lang: language } = document.documentElement;
/** On their way since the first paint. Without them the page stays as it came, and works as it does without scripts. */
const texts = fetch(messages).then((answer) => answer.json());

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

/** Runs once the page is React's. */
function TakenOver() {
  useEffect(() => followTyped(document), []);
  return null;
}

await dataDecoded();
const text = textOf(await texts);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentContext.Provider value={{ language, messages }}>
        <TextProvider value={text}>
          <RemixBrowser />
          <TakenOver />
        </TextProvider>
      </DocumentContext.Provider>
    </StrictMode>,
  );
});
