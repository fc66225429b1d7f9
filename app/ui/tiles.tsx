/** The apps of a plan as coloured tiles: our own drawings, no vendor's logo. */

/** @param of what public/icons.svg has a `tile-` of, and the app's name, which is read out and shown to a resting pointer */
export function Tiles({ of, label }: { of: readonly { name: string; icon: string }[]; label: string }) {
  return (
    <ul className="tiles" aria-label={label}>
      {of.map(({ name, icon }) => (
        <li key={name} title={name}>
          <svg width="28" height="28" aria-hidden="true" focusable="false">
            <use href={`/icons.svg#tile-${icon}`} />
          </svg>
          <span className="visually-hidden">{name}</span>
        </li>
      ))}
    </ul>
  );
}
