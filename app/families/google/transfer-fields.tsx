/**
 * The transfer token, asked for with the domain so that what moves is known before the payment. Closed until it is needed: the
 * server's answer opens it, and with scripts the check of the domain does.
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
  // A refused token is not sent back, so where the number of licences is what does not fit, it has to be entered again.
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
