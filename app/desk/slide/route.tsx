/** `/desk/texts/slides/{slide}`: edits the title of a home page slide in every language, with a preview. */
import { type FieldMetadata, useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { editSlide, listSlideTitles, textsVersion } from "#server/catalogue/edit.ts";
import { maxReasonLength, sharedFields } from "#server/desk/actions/action.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type LanguageId, languageIds, perLanguage } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { listSlides, titlesOf } from "../../families/slides.ts";
import { Field } from "../../forms/field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { noindexMeta } from "../../ui/head.ts";
import { EditForm } from "../edit-form.tsx";
import { fieldNamed } from "../field-named.ts";
import { deskHandle } from "../handle.ts";
import { languageName } from "../language-name.ts";
import { Preview } from "../preview.tsx";
import { deskAction, deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ label: string }>((data) => data?.label ?? "");

const params = z.object({ slide: z.string().max(60) });
const maxTitleLength = 80;

function slideOf({ slide: id }: z.output<typeof params>) {
  const slide = listSlides().find((each) => each.id === id);
  if (slide === undefined) throw notFound();
  return slide;
}

const nameOf = (language: LanguageId) => `title_${language}`;

export const loader = deskLoader("slide", params, async ({ context }, given) => {
  const slide = slideOf(given);
  const titles = titlesOf(slide, (await listSlideTitles(context.db)).get(slide.id));
  return {
    label: slide.label,
    version: textsVersion(titles),
    maxReasonLength,
    maxTitleLength,
    languages: languageIds.map((id) => ({
      id,
      language: languageName(id),
      field: nameOf(id),
      title: titles[id],
    })),
    all: paths.deskTexts(),
  };
});

const schema = z.object({
  version: z.string().max(40),
  reason: sharedFields.shape.reason,
  ...Object.fromEntries(
    languageIds.map((language) => [
      nameOf(language),
      z.string("Enter a title.").trim().min(1, "Enter a title.").max(maxTitleLength),
    ]),
  ),
});

export const action = deskAction("slide", {
  params,
  schema,
  redrawnBy: "preview",
  handler: async (request, given, value) => {
    const { context, desk } = request;
    const { id, said } = slideOf(given);
    const entered: Readonly<Record<string, unknown>> = value;
    const titles = perLanguage((language) => String(entered[nameOf(language)] ?? ""));
    const { version, reason } = value;
    const { id: staffId, email: by } = desk.staff;
    await editSlide(context.db, { id, said, titles, version, by, staffId, reason, now: new Date() });
    return redirectWith(request, paths.deskSlide(id), { type: "success", message: "Slide saved." });
  },
});

export default function Slide() {
  const data = useLoaderData<typeof loader>();
  const { label, version, languages, all } = data;
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<string, string>>({
    id: "slide",
    lastResult: reply?.result ?? null,
    defaultValue: { ...Object.fromEntries(languages.map(({ field, title }) => [field, title])), version },
  });
  const at = (name: string): FieldMetadata<string> => fieldNamed(fields, name);
  return (
    <div className="page">
      <h1>{label}</h1>
      <p>
        <a href={all}>All texts</a>
      </p>
      <div className="edited">
        <EditForm
          form={form}
          edited={languages.map(({ field }) => at(field))}
          version={at("version")}
          reason={at("reason")}
          maxReasonLength={data.maxReasonLength}
        >
          {languages.map(({ field, language }) => (
            <Field
              key={field}
              field={at(field)}
              label={`Title in ${language}`}
              maxLength={data.maxTitleLength}
              autoComplete="off"
            />
          ))}
        </EditForm>
        <Preview
          cards={languages.map(({ id, language, field }) => ({
            lang: id,
            language,
            title: at(field).initialValue ?? "",
            lines: [],
            features: [],
          }))}
        />
      </div>
    </div>
  );
}
