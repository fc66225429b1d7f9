/**
 * Hands the document what no loader knows, without passing it through every component. A browser has only what it can read
 * from the document: the language and its messages.
 */
import { createContext } from "react";

export interface DocumentContents {
  /** The nonce of this response's own scripts. */
  nonce?: string;
  language: string;
  /** The browser's messages as JSON, also in the browser, which has read them from the document. */
  messages: string;
  /** The stylesheet, for a route that asks for inline styles. */
  styles?: string;
}

export const DocumentContext = createContext<DocumentContents>({ language: "en", messages: "{}" });
