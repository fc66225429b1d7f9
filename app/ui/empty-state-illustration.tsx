/** The drawings of the empty lists: our own, in the page's colours, and hidden from screen readers. */

const lines = { stroke: "var(--line)", strokeWidth: 4, strokeLinecap: "round" } as const;
const paper = {
  fill: "var(--ground)",
  stroke: "var(--edge)",
  strokeWidth: 1.5,
  strokeLinejoin: "round",
} as const;

/** Two subscriptions and a clock. */
function Subscriptions() {
  return (
    <>
      <rect x="24" y="6" width="84" height="32" rx="8" {...paper} />
      <rect x="33" y="15" width="14" height="14" rx="4" fill="var(--brand)" />
      <path d="M57 18.5h34M57 26.5h20" {...lines} />
      <rect x="12" y="46" width="96" height="32" rx="8" {...paper} />
      <rect x="21" y="55" width="14" height="14" rx="4" fill="var(--success)" />
      <path d="M45 58.5h34M45 66.5h20" {...lines} />
      <circle
        cx="105"
        cy="42"
        r="15"
        fill="var(--accent-ground)"
        stroke="var(--accent-mark)"
        strokeWidth="2.5"
      />
      <path
        d="M105 33v9.5l6 3.5"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </>
  );
}

/** An invoice with the double rule below its total. */
function Orders() {
  return (
    <>
      <path d="M38 4h34l16 16v56a4 4 0 0 1-4 4H38a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z" {...paper} />
      <path d="M72 4v16h16" {...paper} />
      <path d="M45 28h32M45 37h22M45 46h28" {...lines} />
      <path d="M57 62h20M57 67h20" stroke="var(--accent-mark)" strokeWidth="2.5" strokeLinecap="round" />
    </>
  );
}

/** A bag that smiles as the wordmark does. */
function Cart() {
  return (
    <>
      <path d="M33 26h56l5 48a6 6 0 0 1-6 6.5H34a6 6 0 0 1-6-6.5z" {...paper} />
      <path
        d="M46 34V20a15 15 0 0 1 30 0v14"
        fill="none"
        stroke="var(--brand)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d="M46 50c5 11 25 11 30 0"
        fill="none"
        stroke="var(--accent-mark)"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </>
  );
}

const drawings = { subscriptions: Subscriptions, orders: Orders, cart: Cart };

export type Illustration = keyof typeof drawings;

export function EmptyStateIllustration({ of }: { of: Illustration }) {
  const Lines = drawings[of];
  return (
    <svg viewBox="0 0 122 84" width="122" height="84" aria-hidden="true">
      <Lines />
    </svg>
  );
}
