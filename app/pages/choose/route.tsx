/** `/choose`: three questions, and the cheapest plan that meets the answers. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { type AdvicePage, adviceOf } from "./advice.ts";

export const loader = pageLoader(z.unknown(), adviceOf);

export const handle: Handle = { pageStyles: true, publiclyCacheable: true };

export const meta = indexedPage<{ heading: string; description: string; path: string }>(
  ({ heading, description, path }) => ({ title: heading, description, path }),
);

export default function Choose() {
  const data = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <div className="page narrow choosing">
      <h1>{data.heading}</h1>
      <p className="lead">{text("compare.chooseLead")}</p>
      {data.closed !== null && <p className="notice info">{data.closed}</p>}
      {data.looksOnly !== null && <p className="notice info">{data.looksOnly}</p>}
      {data.isIncomplete && (
        <Callout type="error">
          <p>{text("compare.answerAll")}</p>
        </Callout>
      )}
      {data.advice !== null && <Advice advice={data.advice} />}
      {/* The page reports what is missing: the browser's bubble would cover the answer. */}
      <form method="get" noValidate aria-labelledby={data.advice === null ? undefined : "answers"}>
        <input type="hidden" name="service" value={data.service} />
        <input type="hidden" name="country" value={data.country} />
        {data.isCustomer && <input type="hidden" name="TUP" value="true" />}
        {data.advice !== null && <h2 id="answers">{text("compare.answers")}</h2>}
        {data.questions.map((question) => (
          <fieldset key={question.id}>
            <legend className="as-heading">{question.text}</legend>
            <div className="choices">
              {question.answers.map((answer) => (
                <label key={answer.id} className="choice">
                  <input
                    type="radio"
                    name={question.id}
                    value={answer.id}
                    required
                    defaultChecked={answer.isGiven}
                  />
                  <span>{answer.text}</span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
        <button type="submit" className={data.advice === null ? "tall" : "tall quiet"}>
          {text("compare.choose")}
        </button>
      </form>
    </div>
  );
}

function Advice({ advice }: { advice: NonNullable<AdvicePage["advice"]> }) {
  const text = useTranslate();
  if (advice.plan === null) {
    return (
      <Callout type="info" live>
        <p>{text("compare.nothingFits")}</p>
      </Callout>
    );
  }
  return (
    <section className="card advice" aria-labelledby="advice">
      <h2 id="advice">{text("compare.answer", { plan: advice.plan })}</h2>
      <p>{advice.reason}</p>
      <p>
        <Rich
          text={advice.price}
          parts={{ figure: (words) => <strong className="figure">{words}</strong> }}
        />
      </p>
      <p className="actions">
        {advice.buy !== null && (
          <a className="button" href={advice.buy}>
            <Rich
              text={text("compare.buy", { plan: advice.plan })}
              parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
            />
          </a>
        )}
        <a className="button quiet" href={advice.compare}>
          {text("compare.compareIt")}
        </a>
      </p>
    </section>
  );
}
