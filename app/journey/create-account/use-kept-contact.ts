/** Keeps the typed contact across a reload, for this order and in this tab, until the step is left. Never a password. */
import { useEffect } from "react";

const kept = ["firstName", "lastName", "email", "phoneNumber"];

/** Null where a browser refuses storage, as some do with cookies switched off. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** @param formId the form's id in the document */
export function useKeptContact(formId: string): void {
  useEffect(() => {
    const store = storage();
    if (store === null) return;
    const form = document.getElementById(formId);
    const keyOf = (name: string) => `${location.pathname}#${name}`;
    const keys = kept.map(keyOf);
    const inputs = [...(form?.querySelectorAll("input") ?? [])].filter(({ name }) => kept.includes(name));
    const keep = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && kept.includes(target.name))
        store.setItem(keyOf(target.name), target.value);
    };
    for (const input of inputs) if (input.value === "") input.value = store.getItem(keyOf(input.name)) ?? "";
    form?.addEventListener("input", keep);
    // A reload does not run the clean-up: only a completed or left step does.
    return () => {
      form?.removeEventListener("input", keep);
      for (const key of keys) store.removeItem(key);
    };
  }, [formId]);
}
