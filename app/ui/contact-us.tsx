/**
 * Contact Us: a chat on phones and tablets, the company's contact page on a desktop. Both are there and the style sheet shows
 * one, since a server cannot know what it is read on and no script should be needed for it.
 */
import type { Brand } from "#server/brand.ts";
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
