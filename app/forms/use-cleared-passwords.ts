/** Clears a refused form's password fields, also where React keeps the page and its inputs mounted. */
import type { SubmissionResult } from "@conform-to/react";
import { useEffect } from "react";

/** @param formId the form's id in the document */
export function useClearedPasswords(
  formId: string,
  lastResult: SubmissionResult<string[]> | undefined,
): void {
  useEffect(() => {
    if (lastResult?.status !== "error") return;
    for (const input of document.querySelectorAll<HTMLInputElement>(`#${formId} input[type="password"]`)) {
      input.value = "";
    }
  }, [formId, lastResult]);
}
