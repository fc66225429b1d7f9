/** The few icons. They are hidden from screen readers, because the button or link around them has a name. */
import { useContext } from "react";
import file from "../../public/icons.svg?raw";
import { DocumentContext } from "./document-context.ts";
import { parseSvgSymbols } from "./svg-symbols.ts";

function Lines({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={d} stroke="currentColor" strokeWidth="2" strokeLinecap="round" fill="none" />
    </svg>
  );
}

export function BurgerIcon() {
  return <Lines d="M4 6h16M4 12h16M4 18h16" />;
}

export function CrossIcon() {
  return <Lines d="M6 6l12 12M18 6L6 18" />;
}

interface IconProps {
  name: string;
  size?: number;
}

function IconOfFile({ name, size = 24 }: IconProps) {
  return (
    <svg className="drawn" width={size} height={size} aria-hidden="true">
      <use href={`/icons.svg#${name}`} />
    </svg>
  );
}

const drawings = import.meta.env.SSR ? parseSvgSymbols(file, "/icons.svg") : null;

/** Inlines the icon in a document that requests it: the file of all icons would delay the styles on a slow line. */
function DrawnIcon({ name, size = 24 }: IconProps) {
  const { drawsIcons = false } = useContext(DocumentContext);
  const drawing = drawings?.get(name);
  return (
    <svg
      className="drawn"
      width={size}
      height={size}
      viewBox={drawsIcons ? drawing?.viewBox : undefined}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, from the build
      dangerouslySetInnerHTML={{ __html: (drawsIcons ? drawing?.inside : drawing?.reference) ?? "" }}
    />
  );
}

/** An icon of public/icons.svg in the colour of the surrounding text. Browsers never inline one themselves. */
export const Icon = import.meta.env.SSR ? DrawnIcon : IconOfFile;
