/** A value for the buyer to copy: shown in full in a row of its own, with a copy button where scripts can copy. */
import { Breakable } from "./breakable.tsx";
import { useTranslate } from "./text.tsx";

/** @param copied what is copied, where it is not what is shown */
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
