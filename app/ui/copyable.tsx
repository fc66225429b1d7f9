/** A value for the buyer to copy: shown in full, with a copy button where scripts can copy. */
import { Breakable } from "./breakable.tsx";
import { useTranslate } from "./text.tsx";

export function Copyable({ label, value }: { label: string; value: string }) {
  const text = useTranslate();
  return (
    <div className="copyable">
      <dt>{label}</dt>
      <dd>
        <code>
          <Breakable>{value}</Breakable>
        </code>{" "}
        <button
          type="button"
          className="quiet needs-scripts"
          data-copy={value}
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
