/** Text that may hold a domain, an email or a name: words so long that a narrow screen has to break them. */
import { Fragment } from "react";

/** Breaks a long word before its dots and its @, as a reader would, and in the middle only when that is not enough. */
export function Breakable({ children }: { children: string }) {
  const parts = children.split(/(?=[.@][a-z])/i);
  return (
    <span className="breakable">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
