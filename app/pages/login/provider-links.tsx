/** Links to sign in at identity providers. Plain links, because they lead to other sites. */
import { useTranslate } from "../../ui/text.tsx";

export interface ProviderLink {
  name: string;
  href: string;
}

export function ProviderLinks({ providers }: { providers: readonly ProviderLink[] }) {
  const text = useTranslate();
  return providers.map(({ name, href }) => (
    <p key={href}>
      <a className="button quiet wide" href={href}>
        {text("access.withProvider", { provider: name })}
      </a>
    </p>
  ));
}
