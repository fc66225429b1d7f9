/**
 * New recovery codes, to print or save: they cannot be shown again. The download is a data URL in its link, so it has no address.
 */
import { CodeList } from "../../ui/code-list.tsx";
import { useTranslate } from "../../ui/text.tsx";

interface KeepCodesProps {
  codes: readonly string[];
  email: string;
  store: string;
  /** Path to continue to. */
  next: string;
}

export function RecoveryCodes({ codes, email, store, next }: KeepCodesProps) {
  const text = useTranslate();
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
        <a href={next}>{text("twoStep.kept")}</a>
      </p>
    </section>
  );
}
