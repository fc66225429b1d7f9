/** `/desk/texts/items/{item}`: edits an item's catalogue texts in every language, with a preview. */
import { type FieldMetadata, useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { editTexts, getTexts, parseItemId, textsVersion } from "#server/catalogue/edit.ts";
import { maxReasonLength } from "#server/desk/actions/action.ts";
import * as paths from "#server/foundation/paths.ts";
import { Field } from "../../forms/field.tsx";
import { TextAreaField } from "../../forms/text-area-field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { EditForm } from "../edit-form.tsx";
import { fieldNamed } from "../field-named.ts";
import { deskHandle } from "../handle.ts";
import { languageName } from "../language-name.ts";
import { Preview } from "../preview.tsx";
import { deskAction, deskLoader } from "../route-builders.ts";
import { textsForm, textsIn, textsSchema } from "./form.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ values: { name: string } }>((data) =>
  data === undefined ? "" : `Texts of ${data.values.name}`,
);

const params = z.object({ item: z.string().max(100) });

export const loader = deskLoader("itemTexts", params, async ({ context }, { item }) => {
  const texts = await getTexts(context.db, parseItemId(item));
  const { values, nameLimit, languages } = textsForm(texts);
  return {
    values: { ...values, name: texts.name },
    nameLimit,
    version: textsVersion(texts),
    maxReasonLength,
    languages: languages.map((language) => ({ ...language, name: languageName(language.id) })),
    all: paths.deskTexts(),
  };
});

export const action = deskAction("itemTexts", {
  params,
  schema: textsSchema,
  redrawnBy: "preview",
  handler: async (request, { item }, value) => {
    const { context, desk } = request;
    const itemId = parseItemId(item);
    const texts = textsIn(value, await getTexts(context.db, itemId));
    const { version, reason } = value;
    const { id: staffId, email: by } = desk.staff;
    await editTexts(context.db, { itemId, texts, version, by, staffId, reason, now: new Date() });
    const message = `${texts.name} saved.`;
    return redirectWith(request, paths.deskItemTexts(itemId), { type: "success", message });
  },
});

export default function ItemTexts() {
  const {
    values,
    nameLimit,
    version,
    maxReasonLength: most,
    languages,
    all,
  } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<string, string>>({
    id: "texts",
    lastResult: reply?.result ?? null,
    defaultValue: { ...values, version },
  });
  const at = (name: string): FieldMetadata<string> => fieldNamed(fields, name);
  const typed = (name: string) => at(name).initialValue ?? "";
  const features = (name: string) =>
    typed(name)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const [standard] = languages.filter(({ isStandard }) => isStandard);
  return (
    <div className="page">
      <h1>Texts of {values.name}</h1>
      <p>
        <a href={all}>All texts</a>
      </p>
      <div className="edited">
        <EditForm
          form={form}
          edited={[
            at("name"),
            ...languages.flatMap(({ fields: own }) => Object.values(own).map(({ name }) => at(name))),
          ]}
          version={at("version")}
          reason={at("reason")}
          maxReasonLength={most}
        >
          <Field
            field={at("name")}
            label="Name"
            hint="From the vendor; the same in every language."
            maxLength={nameLimit}
            autoComplete="off"
          />
          {languages.map(({ id, name, isStandard, fields: own }) => (
            <fieldset key={id}>
              <legend>{name}</legend>
              {!isStandard && <p className="hint">Empty fields fall back to {standard?.name}.</p>}
              <TextAreaField
                field={at(own.audience.name)}
                label={`Audience in ${name}`}
                rows={2}
                maxLength={own.audience.most}
                lang={id}
                required={isStandard}
              />
              <TextAreaField
                field={at(own.description.name)}
                label={`Description in ${name}`}
                rows={4}
                maxLength={own.description.most}
                lang={id}
                required={isStandard}
              />
              <TextAreaField
                field={at(own.features.name)}
                label={`Features in ${name}`}
                hint="One per line."
                rows={6}
                maxLength={own.features.most}
                lang={id}
                required={isStandard}
              />
            </fieldset>
          ))}
        </EditForm>
        <Preview
          cards={languages.map(({ id, name, fields: own }) => {
            const said = (kind: "audience" | "description") =>
              typed(own[kind].name) || typed(standard?.fields[kind].name ?? own[kind].name);
            const list = features(own.features.name);
            return {
              lang: id,
              language: name,
              title: typed("name"),
              lines: [said("audience"), said("description")],
              features:
                list.length > 0 ? list : features(standard?.fields.features.name ?? own.features.name),
            };
          })}
        />
      </div>
    </div>
  );
}
