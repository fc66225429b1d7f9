/** A value for the buyer to copy: shown in full in its own row, with a copy button where scripts can copy. */
import { Breakable } from "./breakable.tsx";
import { useTranslate } from "./text.tsx";

/** @param copied the text to copy, where it differs from `value` */
export function Copyable({
  label,
  value,
  copied = value,
}: {
  label: string;
  value: string;
  copied?: string;
}) {
  const text = useTranslate();
  return (
    <div className="copyable">
      <dt>{label}</dt>
      <dd>
        <code>
          <Breakable>{value}</Breakable>
        </code>
        <button
          type="button"
          className="quiet needs-scripts"
          data-copy={copied}
          data-copied={text("shell.copied")}
          data-by-hand={text("shell.copyByHand")}
          aria-label={text("shell.copyNamed", { label: label.toLowerCase() })}
        >
          {text("shell.copy")}
        </button>
      </dd>
    </div>
  );
}
