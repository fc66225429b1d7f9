/** `/desk/tenants`: many tenants that customers bring along, by a file that is compared before it applies. One by one it is an act. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { longestReason } from "#server/desk/acts/act.ts";
import {
  applyBrought,
  type BroughtDiff,
  type BroughtLine,
  compareBrought,
  mostLines,
  titleLine,
} from "#server/desk/bring-along.ts";
import { isSteppedUp } from "#server/desk/sessions.ts";
import { stepUp } from "#server/desk/sign-in.ts";
import { wrongField } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { TextAreaField } from "../../forms/text-area-field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { CodeField } from "../code-field.tsx";
import { deskAction, deskLoader } from "../door.ts";
import { deskHandle } from "../handle.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Tenants brought along");

/** Less than a form may hold, whose other fields and encoding need room. */
const longestFile = 40_000;

const schema = z.object({
  intent: z.enum(["compare", "apply"]).default("compare"),
  file: z.string("Paste the file.").min(1, "Paste the file.").max(longestFile, "That is too much for once."),
  /** Of the comparison that was shown. */
  digest: z.string().max(64).default(""),
  reason: z.string().trim().max(longestReason, "At most 500 characters.").default(""),
  /** The second factor, when it is asked for again. */
  code: z.string().max(40).default(""),
  password: z.string().max(1024).default(""),
});

interface Shown {
  /** The first line of a file. */
  titles: string;
  most: { lines: number; reason: number };
  /** What is asked for again before anything is bound. */
  shownAgain: "code" | "password" | null;
}

export const loader = deskLoader(
  "tenants",
  z.unknown(),
  async ({ desk }): Promise<Shown> => ({
    titles: titleLine,
    most: { lines: mostLines, reason: longestReason },
    shownAgain: isSteppedUp(desk, new Date()) ? null : desk.staff.hasSecondFactor ? "code" : "password",
  }),
);

export const action = deskAction("tenants", {
  params: z.unknown(),
  schema,
  async handler(
    request,
    _params,
    { intent, file, digest, reason, code, password },
  ): Promise<Response | { output: BroughtDiff }> {
    const { context, desk } = request;
    if (intent === "compare") return { output: await compareBrought(context, file) };
    if (reason === "") throw wrongField("reason", "Enter a reason.");
    await stepUp(context, desk, { code, password });
    const { staff } = desk;
    const { counts } = await applyBrought(context, file, {
      confirmed: digest,
      ordered: { staffId: staff.id, by: staff.email, reason },
    });
    const message = `${counts.new === 1 ? "1 tenant is" : `${counts.new} tenants are`} bound. What they hold is being read.`;
    return redirectWith(request, paths.deskTenants(), { type: "success", message });
  },
});

const outcomes: Readonly<Record<BroughtLine["outcome"], string>> = {
  new: "New",
  there: "Already there",
  elsewhere: "Refused: another company's",
  malformed: "Wrong",
};

export default function Tenants() {
  const { titles, most, shownAgain } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof schema>>({
    id: "tenants",
    lastResult: reply?.result ?? null,
  });
  const diff = reply?.output ?? null;
  // After a refusal the comparison is not shown again, but what was typed to confirm it is.
  const digest = diff?.digest ?? fields.digest.initialValue ?? "";
  const mayApply = diff === null ? digest !== "" : diff.counts.new > 0;
  return (
    <div className="page">
      <h1>Tenants brought along</h1>
      <p>
        Accounts that customers have at a vendor become theirs here, so that they can add licences to them and
        renew them in this store. One alone is bound on its company's page. Nothing is written before you have
        seen what it would be, and a tenant of another company is never taken.
      </p>
      {diff !== null && <Diff {...diff} />}
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.file, fields.reason, fields[shownAgain ?? "code"]]} />
        <TextAreaField
          field={fields.file}
          label="File"
          hint={`Comma-separated, at most ${most.lines} lines, the first of which is: ${titles}. A company is named by its id, its GSTIN, an owner's email or its whole name; the vendor's id of the tenant may be left empty.`}
          rows={10}
          maxLength={longestFile}
          isData
        />
        <p className="actions">
          <button type="submit" name="intent" value="compare" className={mayApply ? "quiet" : undefined}>
            {diff === null ? "Compare" : "Compare again"}
          </button>
        </p>
        {mayApply && (
          <fieldset>
            <legend className="as-heading">Bind what is new</legend>
            <input type="hidden" name="digest" value={digest} />
            <Field
              field={fields.reason}
              label="Reason"
              hint="Stays in the audit log, beside the evidence of each line."
              maxLength={most.reason}
              autoComplete="off"
            />
            {shownAgain === "code" && <CodeField field={fields.code} />}
            {shownAgain === "password" && (
              <Field
                field={fields.password}
                label="Your password"
                hint="It is asked for again before an act on money, prices or people."
                type="password"
                autoComplete="current-password"
              />
            )}
            <p className="actions">
              <button type="submit" name="intent" value="apply">
                Bind what is new
              </button>
            </p>
          </fieldset>
        )}
      </Form>
    </div>
  );
}

function Diff({ lines, counts }: BroughtDiff) {
  const said = [
    `${counts.new} new`,
    `${counts.there} already there`,
    `${counts.elsewhere} of another company`,
    `${counts.malformed} wrong.`,
  ].join(", ");
  return (
    <section aria-labelledby="diff">
      <h2 id="diff">What the file would do</h2>
      <p role="status">{said}</p>
      <ListTable
        label="Lines of the file"
        columns={["Line", { label: "What", holds: "words" }, "Outcome", { label: "Why", holds: "words" }]}
        rows={lines.map(({ line, what, outcome, said: why }) => ({
          id: String(line),
          cells: [line, what, outcomes[outcome], why],
        }))}
      />
    </section>
  );
}
