/** The email whose password is being chosen: as breakable text, and in a hidden field for password managers. */
import { Breakable } from "../ui/breakable.tsx";
import { useTranslate } from "../ui/text.tsx";

export function AccountEmail({ email }: { email: string }) {
  const text = useTranslate();
  return (
    <p>
      {text("forms.email")}{" "}
      <strong>
        <Breakable>{email}</Breakable>
      </strong>
      <input
        className="visually-hidden"
        type="email"
        value={email}
        readOnly
        autoComplete="username"
        tabIndex={-1}
        aria-hidden
      />
    </p>
  );
}
