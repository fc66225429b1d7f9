/**
 * Provides the document with values that no loader has, without passing them through every component. A browser has only what it
 * can read from the document: the language and its messages.
 */
import { createContext } from "react";
import type { Brand } from "#server/foundation/brand.ts";

export interface DocumentContents {
  /** The nonce of this response's own scripts. */
  nonce?: string;
  language: string;
  /** The address of the browser's messages. */
  messages: string;
  /** The store's brand. Only the server renders more of it than its name. */
  brand?: Brand;
  /** The impersonated user, and when the impersonation ends. Such a page is not hydrated. */
  view?: { email: string; company: string; until: string } | undefined;
  /** Whether icons are inlined in the document. Never in a hydrated one, whose scripts only reference the icon file. */
  drawsIcons?: boolean;
  /** The stylesheet, for a route that asks for inline styles. */
  styles?: string;
}

export const DocumentContext = createContext<DocumentContents>({ language: "en", messages: "" });
