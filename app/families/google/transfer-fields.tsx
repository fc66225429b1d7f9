/**
 * The transfer token, asked for with the domain so that what moves is known before the payment. Closed until it is needed: the
 * server's answer opens it, and with scripts the check of the domain does.
 */
import type { FieldMetadata } from "@conform-to/react";
import { Field, nameLike } from "../../forms/field.tsx";
import { TransferHelp } from "./transfer-help.tsx";

export interface TransferView {
  /** A token is stored with the order, for its domain. */
  isKept: boolean;
  /** The domain moves to us, and the buyer gives the token after the payment. */
  isLater: boolean;
}

export function TransferFields({
  isKept,
  isLater,
  fields,
}: TransferView & {
  fields: Record<"transferToken" | "transferLater" | "quantity", FieldMetadata<string>>;
}) {
  const { transferToken, transferLater, quantity } = fields;
  // A refused token is not sent back, so where the number of licences is what does not fit, it has to be entered again.
  const isAsked = [transferToken, quantity].some(({ errors }) => errors !== undefined);
  return (
    <details open={isKept || isLater || isAsked}>
      <summary>The domain is with another reseller?</summary>
      <p>
        With its transfer token it moves to us. We ask Google which subscription moves and with how many
        licences, before you pay.
      </p>
      <TransferHelp domain={null} />
      <Field
        field={transferToken}
        label="Transfer token"
        {...nameLike}
        maxLength={500}
        required={false}
        {...(isKept && { hint: "We have a token for this domain. Leave this empty to keep it." })}
      />
      <label className="choice">
        <input
          type="checkbox"
          name={transferLater.name}
          id={transferLater.id}
          defaultChecked={isLater || transferLater.initialValue === "on"}
        />
        <span>
          I do not have the token yet
          <span className="hint">
            You enter it after the payment. If it then moves anything else than this order, nothing moves
            until it fits.
          </span>
        </span>
      </label>
    </details>
  );
}
