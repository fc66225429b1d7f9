/**
 * The sandbox's checkout.js: the part of Razorpay's browser API that the store uses. Like the real one, it loads a second script
 * from another host, sends measurements to a third party, writes a style element, and opens the checkout in a full-page frame of
 * the API's host, which reports by postMessage that it is up, and later the result. If any of these is blocked, the checkout does
 * not open.
 */
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const cdn = origin.replace("127.0.0.1", "localhost");
  const base = `${new URL(document.currentScript.src).pathname.replace(/\.js$/, "")}`;

  const riskDetection = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${cdn}/razorpay/cdn/risk-detection.js`;
    script.onload = () =>
      window.razorpayRiskDetection === true ? resolve() : reject(new Error("no risk detection"));
    script.onerror = () => reject(new Error("the risk detection did not load"));
    document.head.append(script);
  });
  const measured = (event) =>
    fetch(`${cdn}/razorpay/lumberjack/track`, {
      method: "POST",
      mode: "no-cors",
      body: JSON.stringify({ event }),
    });
  const ready = Promise.all([riskDetection, measured("loaded")]);
  ready.catch(() => undefined);

  class Razorpay {
    #options;
    #listeners = new Map();
    #close = () => undefined;

    constructor(options) {
      if (!options?.key) throw new Error("No key passed");
      if (!options.order_id) throw new Error("No order_id passed");
      this.#options = options;
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    open() {
      this.#close();
      let isWanted = true;
      this.#close = () => {
        isWanted = false;
      };
      // Otherwise nothing happens, as with the real one.
      ready.then(
        () => {
          if (isWanted) this.#openFrame();
        },
        () => undefined,
      );
    }

    #openFrame() {
      const style = document.createElement("style");
      style.textContent =
        ".razorpay-checkout-frame { position: fixed; inset: 0; width: 100%; height: 100%; }";
      document.head.append(style);
      const frame = document.createElement("iframe");
      frame.title = "Payment";
      frame.className = "razorpay-checkout-frame";
      Object.assign(frame.style, {
        border: "0",
        zIndex: "2147483647",
        background: "rgba(0, 0, 0, 0.6)",
        colorScheme: "normal",
      });
      frame.src = `${origin}${base}/frame?${this.#query()}`;

      const before = document.activeElement;
      const overflow = document.documentElement.style.overflow;
      const hear = (event) => {
        if (event.origin !== origin || event.source !== frame.contentWindow) return;
        if (event.data?.from === "razorpay-sandbox") this.#hear(event.data);
      };
      const onKey = (event) => {
        if (event.key === "Escape" && this.#options.modal?.escape !== false) this.close();
      };
      this.#close = () => {
        window.removeEventListener("message", hear);
        window.removeEventListener("keydown", onKey);
        frame.remove();
        style.remove();
        document.documentElement.style.overflow = overflow;
        before?.focus?.();
        this.#close = () => undefined;
      };
      window.addEventListener("message", hear);
      window.addEventListener("keydown", onKey);
      document.documentElement.style.overflow = "hidden";
      document.body.append(frame);
      frame.focus();
    }

    close() {
      this.#close();
      this.#options.modal?.ondismiss?.();
    }

    #query() {
      const { key, order_id, amount, currency, name, description, prefill } = this.#options;
      const query = new URLSearchParams({ key_id: key, order_id, frame_origin: location.origin });
      const optional = { amount, currency, name, description, method: this.#methods() };
      optional["prefill[email]"] = prefill?.email;
      optional["prefill[contact]"] = prefill?.contact;
      for (const [field, value] of Object.entries(optional)) if (value !== undefined) query.set(field, value);
      return query;
    }

    /** The methods a shop allows: `method: {upi: false}`, or display blocks with the default ones switched off. */
    #methods() {
      const all = ["card", "upi", "netbanking", "wallet", "paylater"];
      const { method, config } = this.#options;
      const display = config?.display;
      const hidden = (display?.hide ?? []).map((each) => each.method);
      let allowed = all.filter((each) => method?.[each] !== false && !hidden.includes(each));
      if (display?.preferences?.show_default_blocks === false) {
        const shown = Object.values(display.blocks ?? {}).flatMap((block) => block.instruments ?? []);
        allowed = allowed.filter((each) => shown.some((instrument) => instrument.method === each));
      }
      return allowed.length === all.length ? undefined : allowed.join(",");
    }

    #hear(message) {
      const { callback_url, redirect, handler, retry } = this.#options;
      const post = Boolean(callback_url) && (redirect === true || !handler);
      if (message.type === "dismissed") {
        this.close();
      } else if (message.type === "paid") {
        this.#close();
        if (post) submit(callback_url, message.result);
        else handler?.(message.result);
      } else if (message.type === "failed") {
        for (const listener of this.#listeners.get("payment.failed") ?? [])
          listener({ error: message.error });
        if (redirect === true && post) {
          this.#close();
          const { metadata, ...error } = message.error;
          const named = Object.entries({ ...error, metadata: JSON.stringify(metadata) });
          submit(callback_url, Object.fromEntries(named.map(([name, value]) => [`error[${name}]`, value])));
        } else if (retry === false || retry?.enabled === false) {
          this.close();
        }
      }
    }
  }

  function submit(action, fields) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = action;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  window.Razorpay = Razorpay;
})();
