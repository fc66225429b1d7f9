/** The receipt: a band with the amount and the order, above the content that follows the payment. */
import { Icon } from "../ui/icons.tsx";

export interface ReceiptView {
  /** "₹1,75,485 paid" */
  sum: string;
  /** The order's number, and when it was paid. */
  about: string;
  /** The steps that the buyer has left; null for none. */
  left: string | null;
  links: { label: string; href: string }[];
}

export function Receipt({ sum, about, left, links }: ReceiptView) {
  return (
    <div className="receipt">
      <Icon name="tick" size={24} />
      <div>
        <b>{sum}</b>
        <p>{about}</p>
      </div>
      {(left !== null || links.length > 0) && (
        <p>
          {left !== null && <span>{left}</span>}
          {links.map(({ label, href }) => (
            <a key={href + label} href={href}>
              {label}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
