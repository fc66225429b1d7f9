/** The few icons. They are hidden from screen readers, because the button or link around them has a name. */

function Lines({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
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

/** An icon of public/icons.svg in the colour of the surrounding text. */
export function Icon({ name, size = 24 }: { name: string; size?: number }) {
  return (
    <svg className="drawn" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`/icons.svg#${name}`} />
    </svg>
  );
}
