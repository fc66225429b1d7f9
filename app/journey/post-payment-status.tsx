/** Refund, dispute or cancellation of a paid order, above its page: the label from My Orders with an explanation. */
import { Callout } from "../ui/callout.tsx";

export interface PostPaymentView {
  money: { words: string; look: string; says: string } | null;
  given: { says: string; link: { href: string; label: string } | null } | null;
}

export function PostPaymentStatus({ money, given }: PostPaymentView) {
  return (
    <Callout type={money?.look === "due" ? "due" : "info"}>
      {money !== null && (
        <p>
          <span className={`badge ${money.look}`}>{money.words}</span> {money.says}
        </p>
      )}
      {given !== null && (
        <p>
          {given.says} {given.link !== null && <a href={given.link.href}>{given.link.label}</a>}
        </p>
      )}
    </Callout>
  );
}
