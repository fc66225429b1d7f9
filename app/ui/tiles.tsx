/** The apps of a plan as coloured tiles: our own drawings, no vendor's logo. */

/** @param of a symbol of public/tiles.svg, and the app's name, which is read out and shown to a resting pointer */
export function Tiles({ of, label }: { of: readonly { name: string; icon: string }[]; label: string }) {
  return (
    <ul className="tiles" aria-label={label}>
      {of.map(({ name, icon }) => (
        <li key={name} title={name}>
          <Tile icon={icon} />
          <span className="visually-hidden">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/** One tile, beside the words that it illustrates. */
export function Tile({ icon }: { icon: string }) {
  return (
    <svg className="tile" width="28" height="28" aria-hidden="true" focusable="false">
      <use href={`/tiles.svg#${icon}`} />
    </svg>
  );
}
