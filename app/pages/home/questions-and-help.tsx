/** Below the catalogue: frequent questions, and how to reach a person. */
import type { Country } from "#db/tables/enums.ts";
import type { Brand } from "#server/brand.ts";
import { telephone, whatsAppChat } from "../../ui/brand.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Question } from "./questions.ts";

export function QuestionsAndHelp(props: { questions: readonly Question[]; country: Country; brand: Brand }) {
  const { questions, country, brand } = props;
  const phone = brand.phones.find((each) => each.country === country);
  return (
    <div className="aside-by-side">
      <section aria-labelledby="questions">
        <h2 id="questions">Frequently asked questions</h2>
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
        <h2 id="help">Talk to a person first</h2>
        <p>Not sure which plan fits, or moving from somewhere else? Ask us before you pay.</p>
        <ul>
          <li>
            <a href={whatsAppChat(brand.whatsApp)}>
              <Icon name="bubble" />
              Chat on WhatsApp
            </a>
          </li>
          <li>
            <a href={brand.supportUrl}>
              <Icon name="mail" />
              Contact support
            </a>
          </li>
          {phone !== undefined && (
            <li>
              <a href={telephone(phone.sales)}>
                <Icon name="phone" />
                <span>
                  Call sales: <span className="whole">{phone.sales}</span>
                </span>
              </a>
            </li>
          )}
        </ul>
      </section>
    </div>
  );
}
