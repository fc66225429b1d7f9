/**
 * Messages in components. The server formats them completely; a hydrated page has them as data of its document and inserts only
 * simple arguments (server/foundation/languages/browser-namespaces.ts).
 */
import { createContext, Fragment, type ReactNode, useContext } from "react";
import type { MessageValues, Translate } from "#server/foundation/languages/messages.ts";

const TextContext = createContext<Translate | null>(null);

export const TextProvider = TextContext.Provider;

export function useTranslate(): Translate {
  const text = useContext(TextContext);
  if (text === null) throw new Error("No messages: render inside of TextProvider");
  return text;
}

/** Translates in a browser. @param messages those of the browser's namespaces, by key */
export function textOf(messages: Readonly<Record<string, string>>): Translate {
  return (key, ...values) => interpolate(messages[key] ?? key, values[0] ?? {});
}

/** Inserts simple arguments into a message. */
export function interpolate(message: string, values: MessageValues): string {
  return message.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]));
}

/**
 * A message with tags, such as "Have an account? <link>Log in</link>". Another text is another element: React does not change
 * texts between elements, which a translator may have replaced (docs/decisions/pages.md#modified-pages).
 * @param parts what each tag makes of its text
 */
export function Rich({
  text,
  parts,
}: {
  text: string;
  parts: Readonly<Record<string, (inner: string) => ReactNode>>;
}) {
  const pieces = text.split(/(<\w+>[^<]*<\/\w+>)/);
  return (
    <span key={text}>
      {pieces.map((piece, index) => {
        const [, tag = "", inner = ""] = /^<(\w+)>([^<]*)<\/\1>$/.exec(piece) ?? [];
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence, in their order
        return <Fragment key={index}>{parts[tag]?.(inner) ?? piece}</Fragment>;
      })}
    </span>
  );
}
