/** The states of a paid order: work in progress, which moves on by itself; a person handling it; and a refund. */
import * as paths from "#server/paths.ts";
import { Money } from "../ui/money.tsx";

export interface Wait {
  waitUrl: string;
  waitState: string;
  waitMs: number;
  /** What we are doing during the wait. */
  doing: string;
  /** Why it takes longer than usual; null when it does not. */
  note: string | null;
}

export function Working({ waitUrl, waitState, waitMs, doing, note }: Wait) {
  return (
    <div
      className="working"
      role="status"
      data-wait-url={waitUrl}
      data-wait-state={waitState}
      data-wait-ms={waitMs}
    >
      <p className="lead">{note ?? doing}</p>
      <p className="hint">
        This page moves on by itself. You may also close it: we will email you when everything is ready.
      </p>
      <progress aria-label="Working" />
    </div>
  );
}

/** The same as a page of its own, for a paid order. */
export function Thanks(wait: Wait) {
  return (
    <>
      <h1>Thank you for your order</h1>
      <Working {...wait} />
    </>
  );
}

export function NeedsAttention({
  orderId,
  supportUrl,
  problem,
}: {
  orderId: string;
  supportUrl: string;
  /** What the buyer has to put right with our team; null when nothing is asked of them. */
  problem: string | null;
}) {
  const order = <code>{orderId}</code>;
  return (
    <>
      {problem === null ? (
        <>
          <h1>We are looking after your order</h1>
          <p className="lead">
            Your payment is safe. Our team has been told and is working on your order. You don't need to do
            anything, and you will not be charged again.
          </p>
          <p>We will email you as soon as it is done. Your order number is {order}.</p>
        </>
      ) : (
        <>
          <h1>Your order needs a correction</h1>
          <p className="lead">{problem} Your payment is safe, and you will not be charged again.</p>
          <p>
            Please send our team the right details, with your order number {order}. We put it right and go on,
            or give the money back.
          </p>
        </>
      )}
      <p>
        <a className="button" href={supportUrl}>
          Contact support
        </a>
      </p>
    </>
  );
}

/** The end of an order whose payment arrived when it could no longer be fulfilled. */
export function Refunded(props: { orderId: string; amount: string; reason: string; email: string }) {
  return (
    <>
      <h1>Your payment is refunded in full</h1>
      <p className="lead">
        Your payment arrived, but this order could no longer be carried out. {props.reason}
      </p>
      <p>
        Nothing was bought. All of it, <Money>{props.amount}</Money>, goes back to the card or account you
        paid with, usually within 5 to 7 working days. You don't need to do anything.
      </p>
      <p>
        We have emailed this to {props.email}. Your order number is <code>{props.orderId}</code>.
      </p>
      <p>
        <a className="button" href={paths.subscriptions()}>
          My Subscriptions
        </a>
      </p>
    </>
  );
}
