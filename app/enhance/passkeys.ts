/**
 * Passkeys, loaded only on the pages that use them: a form with data-passkey ("make" or "sign-in") asks the browser's
 * authenticator before it is sent, and puts the response into its field `response`.
 */
import * as paths from "#server/foundation/paths.ts";

export function passkeyForms(root: Document): void {
  const canUse = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    if (canUse) form.addEventListener("submit", (event) => onSubmit(event, form));
    else form.replaceChildren(paragraph(root, form.dataset.unsupported));
  }
}

function onSubmit(event: SubmitEvent, form: HTMLFormElement): void {
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  void answerOf(form)
    .then((answer) => {
      const field = form.elements.namedItem("response");
      if (!(field instanceof HTMLInputElement)) return;
      field.value = JSON.stringify(answer);
      // Not requestSubmit, which would ask again.
      form.submit();
    })
    // Refused by the server (show its message), cancelled by the user, timed out, or offline.
    .catch((error: unknown) => say(form, error instanceof Refused ? error.message : form.dataset.stopped))
    .finally(() => {
      form.ariaBusy = null;
    });
}

async function answerOf(form: HTMLFormElement): Promise<Credential | null> {
  const purpose = form.dataset.passkey ?? "";
  const response = await fetch(paths.passkeyOptions(), {
    method: "POST",
    body: new URLSearchParams({ for: purpose }),
  });
  const body = await response.json();
  if (!response.ok) throw new Refused(body.error);
  if (purpose === "make") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body);
  return navigator.credentials.get({ publicKey });
}

class Refused extends Error {}

function say(form: HTMLFormElement, said: string | undefined): void {
  form.querySelector("[data-stopped]")?.remove();
  const words = paragraph(form.ownerDocument, said);
  words.className = "error";
  words.role = "alert";
  words.dataset.stopped = "";
  form.append(words);
}

function paragraph(root: Document, words = ""): HTMLParagraphElement {
  const element = root.createElement("p");
  element.textContent = words;
  return element;
}

passkeyForms(document);
