/**
 * Contact Us: a chat on phones and tablets, the contact page on a desktop. Both links are rendered and CSS shows one, because
 * the server does not know the device and no script should be needed.
 */
import type { Brand } from "#server/foundation/brand.ts";
import { whatsAppChat } from "./brand.ts";

export function ContactUs({ brand, text, className }: { brand: Brand; text: string; className: string }) {
  return (
    <>
      <a className={`${className} on-touch`} href={whatsAppChat(brand.whatsApp)}>
        {text}
      </a>
      <a className={`${className} on-desktop`} href={brand.contactUrl}>
        {text}
      </a>
    </>
  );
}
