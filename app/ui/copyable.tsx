/** A value for the buyer to copy: shown in full, with a copy button where scripts can copy. */
import { Breakable } from "./breakable.tsx";

export function Copyable({ label, value }: { label: string; value: string }) {
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
          aria-label={`Copy the ${label.toLowerCase()}`}
        >
          Copy
        </button>
      </dd>
    </div>
  );
}
