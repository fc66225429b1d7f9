/** Updates the landing page's calculator as soon as an answer changes. The server calculates the bill, as without scripts. */
const debounceMs = 250;

export function priceCalculator(root: Document): void {
  const form = root.querySelector<HTMLFormElement>("form[data-cost]");
  if (form === null) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller = new AbortController();
  form.addEventListener("input", () => {
    clearTimeout(timer);
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    timer = setTimeout(() => void show(form, signal), debounceMs);
  });
}

async function show(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const answers = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  try {
    const response = await fetch(`${location.pathname}?${new URLSearchParams(answers)}`, { signal });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const bill = form.closest(".bill");
    const coming = page.querySelector("#cost .bill");
    if (bill === null || coming === null) return;
    // Removes everything but the form, which keeps the focus.
    while (bill.lastElementChild?.contains(form) === false) bill.lastElementChild.remove();
    for (const part of [...coming.children].slice(1)) bill.append(part);
    form.querySelector("#people")?.toggleAttribute("aria-invalid", coming.querySelector(".error") !== null);
  } catch {
    // The button still submits to the page.
  }
}
