/** Button in a password field that shows the password, for pages that load enhance/show-password.ts. */
import { useTranslate } from "../ui/text.tsx";

/** @param of the field's id */
export function ShowPassword({ of }: { of: string }) {
  const text = useTranslate();
  return (
    <button
      type="button"
      className="plain"
      data-shows={of}
      aria-pressed="false"
      aria-label={text("forms.showPassword")}
    >
      {text("forms.show")}
    </button>
  );
}
