/** The apps of a plan as coloured tiles: our own drawings, no vendor's logo. */
import file from "../../public/tiles.svg?raw";
import { parseSvgSymbols } from "./svg-symbols.ts";

/** Pages with tiles are never hydrated, so no browser needs them. */
const drawings = import.meta.env.SSR ? parseSvgSymbols(file, "/tiles.svg") : null;

const tile = { className: "tile", width: 28, height: 28 } as const;

/** @param of a symbol of public/tiles.svg, and the app's name, as its accessible name and tooltip */
export function Tiles({ of, label }: { of: readonly { name: string; icon: string }[]; label: string }) {
  return (
    <ul className="tiles" aria-label={label}>
      {of.map(({ name, icon }) => (
        <li key={name} title={name}>
          <svg
            {...tile}
            role="img"
            aria-label={name}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, from the build
            dangerouslySetInnerHTML={{ __html: drawings?.get(icon)?.reference ?? "" }}
          />
        </li>
      ))}
    </ul>
  );
}

/**
 * One tile, next to the text that it illustrates. Inlined, because the file of all tiles would delay a list's styles on a slow
 * line.
 */
export function Tile({ icon }: { icon: string }) {
  const drawing = drawings?.get(icon);
  return (
    <svg
      {...tile}
      aria-hidden="true"
      viewBox={drawing?.viewBox}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, from the build
      dangerouslySetInnerHTML={{ __html: drawing?.inside ?? "" }}
    />
  );
}
