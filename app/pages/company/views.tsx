/** Sections of the company's page. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { codeLike, Field } from "../../forms/field.tsx";
import { SelectField } from "../../forms/select-field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { SummaryList } from "../../ui/summary-list.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { BillingAddressView, TaxView } from "./billing-addresses-data.ts";

type Reply = SubmissionResult<string[]> | null;

export function NameForm({ name, lastResult }: { name: string; lastResult: Reply }) {
  const text = useTranslate();
  const [form, fields] = useForm<{ intent: string; name: string }>({
    id: "name",
    lastResult,
    defaultValue: { name },
  });
  return (
    <Form method="post" {...getFormProps(form)} noValidate className="narrow-form">
      <input type="hidden" name="intent" value="name" />
      <ErrorSummary form={form} fields={[fields.name]} />
      <Field
        field={fields.name}
        label={text("company.legalName")}
        hint={text("company.legalNameHint")}
        autoComplete="organization"
      />
      <SubmitButton variant="quiet">{text("company.save")}</SubmitButton>
    </Form>
  );
}

export function BillingAddresses({ places, isOwner }: { places: BillingAddressView[]; isOwner: boolean }) {
  const text = useTranslate();
  return (
    <section aria-labelledby="places-title">
      <h2 id="places-title">{text("company.places")}</h2>
      <p>{text("company.placesHint")}</p>
      <ul className="cards">
        {places.map((place) => (
          <li key={place.id} className="card member">
            <Place place={place} isOwner={isOwner} />
          </li>
        ))}
      </ul>
      {isOwner && (
        <p>
          <a className="button quiet" href={paths.companyBillingAddress("new")}>
            {text("company.add")}
          </a>
        </p>
      )}
    </section>
  );
}

function Place({ place, isOwner }: { place: BillingAddressView; isOwner: boolean }) {
  const text = useTranslate();
  const hidden = (words: string) => <span className="visually-hidden">{words}</span>;
  return (
    <>
      <div>
        <p>
          <strong>
            <Breakable>{place.title}</Breakable>
          </strong>
          {place.lines.map((line) => (
            <span key={line} className="line">
              <Breakable>{line}</Breakable>
            </span>
          ))}
          <span className="hint">
            <Breakable>{place.contact}</Breakable>
          </span>
          {place.registered !== null && <span className="hint">{place.registered}</span>}
          {place.isDefault && !place.isOnly && <span className="badge info">{text("company.standard")}</span>}
        </p>
        {place.doubts !== null && (
          <Callout type="due">
            <p>{place.doubts}</p>
          </Callout>
        )}
      </div>
      {isOwner && (
        <div className="in-row">
          <p className="actions">
            <a href={place.change}>
              <Rich text={text("company.change", { place: place.title })} parts={{ hidden }} />
            </a>
          </p>
          {!place.isDefault && (
            <form method="post">
              <input type="hidden" name="place" value={place.id} />
              <SubmitButton name="intent" value="make-default" variant="quiet">
                <Rich text={text("company.makeStandard", { place: place.title })} parts={{ hidden }} />
              </SubmitButton>
            </form>
          )}
          {!place.isOnly && (
            <details>
              <summary>
                <Rich text={text("company.remove", { place: place.title })} parts={{ hidden }} />
              </summary>
              <form method="post">
                <input type="hidden" name="place" value={place.id} />
                <p>{text("company.removeQuestion")}</p>
                <SubmitButton name="intent" value="remove" variant="danger">
                  {text("company.removeIt")}
                </SubmitButton>
              </form>
            </details>
          )}
        </div>
      )}
    </>
  );
}

export function TaxForm({ tax, isOwner, lastResult }: { tax: TaxView; isOwner: boolean; lastResult: Reply }) {
  const text = useTranslate();
  const [form, fields] = useForm<{
    intent: string;
    deductorNumber: string;
    section: string;
    rateBasisPoints: string;
  }>({ id: "tax", lastResult, defaultValue: tax });
  return (
    <section aria-labelledby="tax-title">
      <h2 id="tax-title">{text("company.tax")}</h2>
      <p>{text("company.taxHint")}</p>
      {isOwner ? (
        <Form method="post" {...getFormProps(form)} noValidate className="narrow-form">
          <input type="hidden" name="intent" value="tax" />
          <ErrorSummary
            form={form}
            fields={[fields.rateBasisPoints, fields.section, fields.deductorNumber]}
          />
          <SelectField
            field={fields.rateBasisPoints}
            label={text("company.rate")}
            options={tax.rates}
            required={false}
          />
          <Field
            field={fields.section}
            label={text("company.section")}
            hint={text("company.sectionHint")}
            required={false}
            autoComplete="off"
          />
          <Field
            field={fields.deductorNumber}
            label={text("company.deductorNumber")}
            hint={tax.numberHint}
            required={false}
            {...codeLike}
          />
          <SubmitButton variant="quiet">{text("company.save")}</SubmitButton>
        </Form>
      ) : (
        <SummaryList
          lines={[
            { label: text("company.rate"), value: tax.rate },
            { label: text("company.section"), value: tax.section },
            { label: text("company.deductorNumber"), value: tax.deductorNumber },
          ].filter(({ value }) => value !== "")}
        />
      )}
    </section>
  );
}

export function EarlierInvoices({
  earlier,
}: {
  earlier: { newest: string; says: string; lines: string[] }[];
}) {
  const text = useTranslate();
  return (
    <section aria-labelledby="earlier-title">
      <h2 id="earlier-title">{text("company.documents")}</h2>
      <ul>
        {earlier.map(({ newest, says, lines }) => (
          <li key={newest}>
            {says} <Breakable>{lines.join(", ")}</Breakable>
          </li>
        ))}
      </ul>
    </section>
  );
}
