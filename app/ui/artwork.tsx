/** The drawings next to the landing page's offers: our own, in the page's colours, and hidden from screen readers. */

const canvas = {
  className: "artwork",
  viewBox: "0 0 240 160",
  width: 240,
  height: 160,
} as const;

/** A document, a chat and a team. */
function Office() {
  return (
    <svg {...canvas} aria-hidden="true">
      <rect x="18" y="16" width="150" height="116" rx="10" fill="var(--surface)" stroke="var(--line)" />
      <path d="M18 40h150" stroke="var(--line)" />
      <circle cx="33" cy="28" r="4" fill="var(--accent)" />
      <path
        d="M49 28h34M36 62h84M36 80h60M36 98h72M36 116h38"
        stroke="var(--line)"
        strokeWidth="7"
        strokeLinecap="round"
      />
      <path
        d="M144 64h68a12 12 0 0 1 12 12v26a12 12 0 0 1-12 12h-36l-18 16v-16h-14a12 12 0 0 1-12-12V76a12 12 0 0 1 12-12z"
        fill="var(--brand)"
      />
      <path
        d="M152 89h.1M178 89h.1M204 89h.1"
        stroke="var(--brand-ink)"
        strokeWidth="10"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** A calendar, a letter and a call. */
function Meeting() {
  return (
    <svg {...canvas} aria-hidden="true">
      <rect x="20" y="22" width="110" height="100" rx="10" fill="var(--surface)" stroke="var(--line)" />
      <path d="M20 32a10 10 0 0 1 10-10h90a10 10 0 0 1 10 10v16H20z" fill="var(--accent)" />
      <path
        d="M42 68h.1M64 68h.1M86 68h.1M108 68h.1M42 86h.1M86 86h.1M108 86h.1M42 104h.1M64 104h.1"
        stroke="var(--line)"
        strokeWidth="10"
        strokeLinecap="round"
      />
      <path d="M64 86h.1" stroke="var(--brand)" strokeWidth="13" strokeLinecap="round" />
      <rect x="108" y="62" width="112" height="76" rx="12" fill="var(--brand)" />
      <circle cx="149" cy="92" r="11" fill="var(--brand-ink)" />
      <path d="M130 124a19 17 0 0 1 38 0z" fill="var(--brand-ink)" />
      <path d="M184 92l22-10v38l-22-10z" fill="var(--accent)" />
    </svg>
  );
}

/** A laptop with the store's sign on its screen. */
function Laptop() {
  return (
    <svg {...canvas} aria-hidden="true">
      <rect
        x="46"
        y="18"
        width="148"
        height="98"
        rx="10"
        fill="var(--surface)"
        stroke="var(--soft)"
        strokeWidth="4"
      />
      <rect x="58" y="30" width="124" height="74" rx="4" fill="var(--brand)" />
      <path d="M120 52v30M105 67h30" stroke="var(--brand-ink)" strokeWidth="3" />
      <circle cx="120" cy="67" r="10" fill="var(--accent)" />
      <path
        d="M120 50h.1M120 84h.1M103 67h.1M137 67h.1"
        stroke="var(--brand-ink)"
        strokeWidth="10"
        strokeLinecap="round"
      />
      <path d="M26 122h188l-8 14a6 6 0 0 1-5 3H39a6 6 0 0 1-5-3z" fill="var(--soft)" />
      <path d="M104 122h32l-4 6h-24z" fill="var(--surface)" />
    </svg>
  );
}

const drawings = { office: Office, meeting: Meeting, laptop: Laptop };

export function Artwork({ of }: { of: keyof typeof drawings }) {
  const Drawing = drawings[of];
  return <Drawing />;
}
