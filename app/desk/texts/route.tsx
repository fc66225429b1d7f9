/** `/desk/texts`: links to edit the texts of items and of the home page's slides. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listItemsWithTexts, listSlideEdits } from "#server/catalogue/edit.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { standardLanguage } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { listSlides, titlesOf } from "../../families/slides.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Content");

export const loader = deskLoader("texts", z.unknown(), async ({ context: { db } }) => {
  const edits = await listSlideEdits(db);
  return {
    items: (await listItemsWithTexts(db)).map(({ id, name, family, active, editedAt }) => ({
      id,
      name,
      href: paths.deskItemTexts(id),
      prices: paths.deskPriceHistory(id),
      family: families[family].label,
      isSold: active,
      edited: editedAt === null ? null : timeView(editedAt),
    })),
    slides: listSlides().map((slide) => {
      const edit = edits.get(slide.id);
      return {
        id: slide.id,
        label: slide.label,
        href: paths.deskSlide(slide.id),
        title: titlesOf(slide, edit?.titles)[standardLanguage],
        edited: edit === undefined ? null : timeView(edit.editedAt),
      };
    }),
  };
});

type Edited = { iso: string; text: string } | null;

export default function Texts() {
  const { items, slides } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Content</h1>
      <section aria-labelledby="items">
        <h2 id="items">Items</h2>
        <ListTable
          label="Items"
          columns={[
            { label: "Item", holds: "words" },
            "Service",
            "Sold",
            "Edited",
            { label: "Also", holds: "acts" },
          ]}
          rows={items.map(({ id, name, href, prices, family, isSold, edited }) => ({
            id,
            cells: [
              <a key="name" href={href}>
                {name}
              </a>,
              family,
              isSold ? "yes" : "not for sale",
              <EditedAt key="edited" edited={edited} />,
              <a key="prices" href={prices}>
                Prices<span className="visually-hidden"> of {name}</span>
              </a>,
            ],
          }))}
        />
      </section>
      <section aria-labelledby="slides">
        <h2 id="slides">Slides of the home page</h2>
        <ListTable
          label="Slides"
          columns={["Slide", { label: "Title", holds: "words" }, "Edited"]}
          rows={slides.map(({ id, label, href, title, edited }) => ({
            id,
            cells: [
              <a key="label" href={href}>
                {label}
              </a>,
              title,
              <EditedAt key="edited" edited={edited} />,
            ],
          }))}
        />
      </section>
    </div>
  );
}

function EditedAt({ edited }: { edited: Edited }) {
  return edited === null ? "never" : <time dateTime={edited.iso}>{edited.text}</time>;
}
