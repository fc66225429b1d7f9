/**
 * The transfer token, requested with the domain so that the subscription that moves is known before the payment. Collapsed until
 * needed: the server's response opens it, and with scripts the domain check does.
 */
import type { FieldMetadata } from "@conform-to/react";
import { Field, nameLike } from "../../forms/field.tsx";
import { useTranslate } from "../../ui/text.tsx";
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
  const text = useTranslate();
  const { transferToken, transferLater, quantity } = fields;
  // A refused token is not sent back. If only the number of licences was wrong, the token must be entered again too.
  const hasErrors = [transferToken, quantity].some(({ errors }) => errors !== undefined);
  return (
    <details open={isKept || isLater || hasErrors}>
      <summary>{text("signIn.otherReseller")}</summary>
      <p>{text("signIn.movesToUs")}</p>
      <TransferHelp domain={null} />
      <Field
        field={transferToken}
        label={text("signIn.transferToken")}
        {...nameLike}
        maxLength={500}
        required={false}
        {...(isKept && { hint: text("signIn.tokenKept") })}
      />
      <label className="choice">
        <input
          type="checkbox"
          name={transferLater.name}
          id={transferLater.id}
          defaultChecked={isLater || transferLater.initialValue === "on"}
        />
        <span>
          <span>{text("signIn.tokenLater")}</span>
          <span className="hint">{text("signIn.tokenLaterHint")}</span>
        </span>
      </label>
    </details>
  );
}
