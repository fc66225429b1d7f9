/** Letters to the operator; each links to Desk. */
import * as paths from "#server/foundation/paths.ts";
import { operatorTemplates } from "../templates/operator.ts";
import { type LettersOf, linkTo } from "./letter.ts";

export const operatorLetters: LettersOf<"operator-alert" | "order-notice" | "vendor-notice"> = {
  "operator-alert": (letter) =>
    operatorTemplates.operatorAlert({
      order: letter.order,
      what: letter.facts.what ?? "",
      toDo: letter.facts.toDo?.split("\n"),
      link: linkTo(letter, letter.order === null ? paths.desk() : paths.deskOrder(letter.order.id)),
    }),
  "order-notice": (letter) => {
    const { order, facts } = letter;
    if (order === null) return null;
    return operatorTemplates.orderNotice({
      order,
      subject: facts.subject ?? "",
      what: facts.what ?? "",
      link: linkTo(letter, paths.deskOrder(order.id)),
    });
  },
  "vendor-notice": (letter) => {
    const { subject = "", what = "", toDo = "" } = letter.facts;
    return operatorTemplates.vendorNotice({
      subject,
      paragraphs: [what, ...toDo.split("\n").filter((line) => line !== "")],
      link: linkTo(letter, paths.desk()),
    });
  },
};
