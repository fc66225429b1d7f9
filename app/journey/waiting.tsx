/** The states of a paid order: work in progress, which moves on by itself; a person handling it; and a refund. */
import * as paths from "#server/paths.ts";
import { Money } from "../ui/money.tsx";

export interface Wait {
  waitUrl: string;
  waitState: string;
  waitMs: number;
  /** What we are doing during the wait. */
  doing: string;
}

export function Working({ waitUrl, waitState, waitMs, doing }: Wait) {
  return (
    <div
      className="working"
      role="status"
      data-wait-url={waitUrl}
      data-wait-state={waitState}
      data-wait-ms={waitMs}
    >
      <p className="lead">{doing}</p>
      <p className="hint">
        This page moves on by itself. You may also close it: we mail you when everything is ready.
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

export function NeedsAttention({ orderId, supportUrl }: { orderId: string; supportUrl: string }) {
  return (
    <>
      <h1>We are looking after your order</h1>
      <p className="lead">
        Your payment is safe. Our team has been told and is setting up your subscription by hand. You need not
        do anything, and you will not be charged again.
      </p>
      <p>
        We mail you as soon as it is ready. Your order number is <code>{orderId}</code>.
      </p>
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
        paid with, usually within 5 to 7 working days. You need not do anything.
      </p>
      <p>
        We have mailed this to {props.email}. Your order number is <code>{props.orderId}</code>.
      </p>
      <p>
        <a className="button" href={paths.subscriptions()}>
          My Subscriptions
        </a>
      </p>
    </>
  );
}
