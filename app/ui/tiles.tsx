/** The apps of a plan as coloured tiles: our own drawings, no vendor's logo. */
import file from "../../public/tiles.svg?raw";
import { parseSvgSymbols } from "./svg-symbols.ts";

/** Pages that draw from it are never hydrated, so no browser needs it. */
const drawings = import.meta.env.SSR ? parseSvgSymbols(file, "/tiles.svg") : null;

const tile = { className: "tile", width: 28, height: 28 } as const;

/** @param of a symbol of public/tiles.svg, and the app's name, which is read out and shown to a resting pointer */
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
 * One tile, beside the words that it illustrates. It is drawn in the document: the file of all tiles would cross a slow line beside
 * the styles that a list waits for.
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
