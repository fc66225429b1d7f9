/** `/api/docs`: the OpenAPI document as a page for people. Server-rendered, so it reads the same without scripts. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import * as paths from "#server/foundation/paths.ts";
import {
  type Operation,
  openApiDocument,
  type Paths,
  type Schema,
  statusDescriptions,
} from "../../api/shared/openapi-document.ts";
import { pageLoader } from "../../http/page.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { fieldRows, type Row } from "./rows.ts";

export const meta = indexedPage(() => ({
  title: "Store API",
  description: "Every JSON endpoint, with its requests and responses.",
  path: paths.apiDocs(),
}));

export const loader = pageLoader(z.unknown(), async ({ context }) => {
  const { info, tags, paths: described } = openApiDocument(context.env.PUBLIC_URL);
  const calls = callsOf(described);
  return {
    title: info.title,
    description: info.description,
    refusals: Object.entries(statusDescriptions).map(([status, meaning]) => ({
      status,
      description: meaning,
    })),
    groups: tags.map(({ name }) => ({ name, calls: calls.filter((call) => call.tag === name) })),
  };
});

function callsOf(described: Paths) {
  return Object.entries(described).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
  );
}

function callOf(path: string, method: string, operation: Operation) {
  const { parameters = [], requestBody, responses } = operation;
  const sent = parameters.map(
    ({ name, in: place, required, description = "", schema }): Row => ({
      name,
      kind: `${fieldRows(schema)[0]?.kind ?? "text"}, in the ${place}`,
      required,
      note: description,
    }),
  );
  const rows = (schema: Schema | undefined) => (schema === undefined ? [] : fieldRows(schema));
  return {
    id: operation.operationId,
    tag: operation.tags[0] ?? "",
    path,
    method: method.toUpperCase(),
    summary: operation.summary,
    notes: operation.description ?? "",
    needs: needs[operation["x-needs"]],
    sent: [...sent, ...rows(requestBody?.content["application/json"]?.schema)],
    answered: rows(responses["200"]?.content?.["application/json"]?.schema),
    refusals: Object.keys(responses)
      .filter((status) => status >= "400")
      .join(", "),
  };
}
type Call = ReturnType<typeof callOf>;

const needs: Readonly<Record<Operation["x-needs"], string>> = {
  nobody: "Public.",
  optional: "Public; uses the token in the Authorization header if you send one.",
  order: "For the order's owner: its company's members, or the browser that started it.",
  account: "For signed-in users: the token in the Authorization header, or a browser session.",
};

export default function ApiDocs() {
  const { title, description, groups, refusals } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>{title}</h1>
      <p className="lead">
        <Prose text={description} />
      </p>
      <p>
        Sign in with <code>POST /api/login</code> and send the token as <code>Authorization: Bearer</code>.
        The same as <a href={paths.openApi()}>an OpenAPI 3.1 document</a>.
      </p>
      <details className="card">
        <summary>Errors</summary>
        <p>
          Every error is JSON with <code>error</code> and <code>requestId</code>.
        </p>
        <dl className="fields">
          {refusals.map(({ status, description: meaning }) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Prose text={meaning} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {groups.map(({ name, calls }) => (
        <section key={name} className="call-group" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{name}</h2>
          {calls.map((call) => (
            <CallCard key={call.id} call={call} />
          ))}
        </section>
      ))}
    </div>
  );
}

function CallCard({ call }: { call: Call }) {
  return (
    <details className="card">
      <summary>
        <code>
          <strong>{`${call.method} ${call.path}`}</strong>
        </code>
        <span>{call.summary}</span>
      </summary>
      {call.notes !== "" && (
        <p>
          <Prose text={call.notes} />
        </p>
      )}
      <p className="hint">{call.needs}</p>
      {call.sent.length > 0 && <Fields caption="Send" rows={call.sent} />}
      {call.answered.length > 0 && <Fields caption="Reply" rows={call.answered} />}
      {call.refusals !== "" && <p className="hint">{`Errors: ${call.refusals}.`}</p>}
    </details>
  );
}

function Fields({ caption, rows }: { caption: string; rows: Row[] }) {
  return (
    <>
      <h3>{caption}</h3>
      <dl className="fields">
        {rows.map(({ name, kind, required, note }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{`${kind}${required ? "" : ", optional"}${note === "" ? "" : `: ${note.replaceAll("`", "")}`}`}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Renders the `names` in a description as code. */
function Prose({ text }: { text: string }) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
