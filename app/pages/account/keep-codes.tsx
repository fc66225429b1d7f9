/** New recovery codes, to be printed or saved: they cannot be shown again. The file is in its link, so that no address holds it. */
import * as paths from "#server/paths.ts";
import { CodeList } from "../../ui/code-list.tsx";
import { useText } from "../../ui/text.tsx";

interface KeepCodesProps {
  codes: readonly string[];
  email: string;
  store: string;
}

export function KeepCodes({ codes, email, store }: KeepCodesProps) {
  const text = useText();
  const file = [text("twoStep.fileTitle", { store, email }), "", ...codes, ""].join("\r\n");
  return (
    <section className="page narrow">
      <h1>{text("twoStep.keepTitle")}</h1>
      <p>{text("twoStep.keepLead")}</p>
      <CodeList codes={codes} />
      <p className="actions">
        <a
          className="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="recovery-codes.txt"
        >
          {text("twoStep.download")}
        </a>{" "}
        <a href={paths.secondFactor()}>{text("twoStep.kept")}</a>
      </p>
    </section>
  );
}
