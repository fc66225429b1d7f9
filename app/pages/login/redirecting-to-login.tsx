/** Confirmation after a password is set, until the login page opens automatically. */
import { Callout } from "../../ui/callout.tsx";
import { useTranslate } from "../../ui/text.tsx";

export interface RedirectingToLoginProps {
  title: string;
  said: string;
  /** Link to the login, for not waiting. */
  href: string;
  button: string;
}

export function RedirectingToLogin({ title, said, href, button }: RedirectingToLoginProps) {
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Callout type="success" live>
        <p>{said}</p>
      </Callout>
      <p>{text("access.opensByItself")}</p>
      <p>
        <a className="button" href={href}>
          {button}
        </a>
      </p>
    </section>
  );
}
