/** Below the catalogue: frequent questions, and how to reach a person. */
import type { Country } from "#db/tables/enums.ts";
import type { Brand } from "#server/foundation/brand.ts";
import { telephone, whatsAppChat } from "../../ui/brand.ts";
import { Icon } from "../../ui/icons.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { FaqEntry } from "./questions.ts";

export function QuestionsAndHelp(props: { questions: readonly FaqEntry[]; country: Country; brand: Brand }) {
  const text = useTranslate();
  const { questions, country, brand } = props;
  const phone = brand.phones.find((each) => each.country === country);
  return (
    <div className="aside-by-side">
      <section aria-labelledby="questions">
        <h2 id="questions">{text("home.questions")}</h2>
        <div className="questions">
          {questions.map(({ question, answer, link }) => (
            <details key={question}>
              <summary>{question}</summary>
              <p>
                {answer} {link !== undefined && <a href={link.href}>{link.text}</a>}
              </p>
            </details>
          ))}
        </div>
      </section>
      <section className="card help" aria-labelledby="help">
        <h2 id="help">{text("home.talkFirst")}</h2>
        <p>{text("home.notSure")}</p>
        <ul>
          <li>
            <a href={whatsAppChat(brand.whatsApp)}>
              <Icon name="bubble" />
              {text("home.whatsApp")}
            </a>
          </li>
          <li>
            <a href={brand.supportUrl}>
              <Icon name="mail" />
              {text("home.contactSupport")}
            </a>
          </li>
          {phone !== undefined && (
            <li>
              <a href={telephone(phone.sales)}>
                <Icon name="phone" />
                <span>
                  <Rich
                    text={text("home.callSales", { number: phone.sales })}
                    parts={{ number: (number) => <span className="whole">{number}</span> }}
                  />
                </span>
              </a>
            </li>
          )}
        </ul>
      </section>
    </div>
  );
}
