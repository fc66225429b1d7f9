/** Text with a domain, an email or a name: long words that must be able to break on a narrow screen. */
import { Fragment } from "react";
import { splitAtWordBreaks } from "./word-breaks.ts";

/**
 * Allows line breaks before dots and @, where a reader would break, and within a word only when that is not enough. Changed text
 * creates a new element, as in Rich (text.tsx).
 */
export function Breakable({ children }: { children: string }) {
  const parts = splitAtWordBreaks(children);
  return (
    <span key={children} className="breakable">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
