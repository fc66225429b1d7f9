/** A value the buyer takes along: shown in full, with a copy button where scripts can copy. */
export function Copyable({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>{" "}
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
