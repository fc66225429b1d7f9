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
