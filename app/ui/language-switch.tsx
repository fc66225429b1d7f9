/** Chooses the page's language and returns to the page. Each language is labelled in itself. */
import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import * as paths from "#server/foundation/paths.ts";
import { useLanguages } from "./brand.ts";
import { DocumentContext } from "./document-context.ts";
import { useTranslate } from "./text.tsx";

export function LanguageSwitch() {
  const text = useTranslate();
  const { pathname, search } = useLocation();
  const { language } = useContext(DocumentContext);
  return (
    <form action={paths.language()} method="post">
      <fieldset className="languages">
        <legend className="visually-hidden">{text("site.language")}</legend>
        <input type="hidden" name="next" value={`${pathname}${search}`} />
        {useLanguages().map(({ id, name }) => (
          <button
            key={id}
            type="submit"
            name="language"
            value={id}
            lang={id}
            className="plain"
            aria-current={id === language ? "true" : undefined}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
