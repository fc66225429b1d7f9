/** What is shown when a password is set, until the login opens by itself. */
import { Callout } from "../../ui/callout.tsx";
import { useText } from "../../ui/text.tsx";

export interface LoginFollowsProps {
  title: string;
  said: string;
  /** The way to the login at once. */
  href: string;
  button: string;
}

export function LoginFollows({ title, said, href, button }: LoginFollowsProps) {
  const text = useText();
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
