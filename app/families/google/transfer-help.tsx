/** Instructions for getting a transfer token from another reseller, for both steps that ask for it. */
import { useTranslate } from "../../ui/text.tsx";

export function TransferHelp({ domain }: { domain: string | null }) {
  const text = useTranslate();
  return (
    <ol>
      <li>
        {domain === null ? text("signIn.transferSignInAny") : text("signIn.transferSignIn", { domain })}
      </li>
      <li>{text("signIn.transferMenus")}</li>
      <li>{text("signIn.transferChoose")}</li>
      <li>{text("signIn.transferActive")}</li>
    </ol>
  );
}
