/** The store's wordmark: an H whose crossbar smiles, and the name. Inlined, so that it is there at first paint. */

export function Wordmark({ name }: { name: string }) {
  return (
    <>
      <svg className="hub" viewBox="0 0 30 30" width="30" height="30" aria-hidden="true">
        <rect width="30" height="30" rx="8.5" fill="#14506e" />
        <g fill="none" strokeWidth="3.4" strokeLinecap="round">
          <path d="M9 7.5v15M21 7.5v15" stroke="#fff" />
          <path d="M9 13.5c2.5 5 9.5 5 12 0" stroke="#f0a030" />
        </g>
      </svg>
      <span>{name}</span>
    </>
  );
}
