/**
 * Rows that turn page by page: the landing page's offers and services. CSS scroll-snap handles touch, wheel and keyboard.
 * This script adds the arrows, and for the offers the automatic turning, which pauses on hover and focus, for reduced motion,
 * and by its button. Only the row itself is scrolled.
 */
import { onClick } from "./clicks.ts";

const everyMs = 3000;
const offerMs = 500;
const rowMs = 180;
/** docs/specification.md, section 9.3. */
const resizeMs = 50;

export function carousels(root: Document): void {
  for (const box of root.querySelectorAll<HTMLElement>("[data-turns]")) {
    const track = box.querySelector<HTMLElement>("[data-track]");
    if (track !== null) turning(box, track);
  }
}

function turning(box: HTMLElement, track: HTMLElement): void {
  const isRound = box.dataset.turns === "round";
  const button = box.querySelector<HTMLElement>("[data-autoplay]");
  const place = box.querySelector<HTMLElement>("[data-place]");
  const pager = box.querySelector<HTMLElement>("[data-pager]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const turnMs = isRound ? offerMs : rowMs;
  let frame = 0;
  /** The target of a running scroll animation, so that a second press continues from there. */
  let aim: number | null = null;

  /** The scroll positions of the pages. Items that fit side by side form one page. */
  const pages = (): number[] => {
    const lefts = [...track.children].map((item) => (item instanceof HTMLElement ? item.offsetLeft : 0));
    const [first = 0, second = first + track.clientWidth] = lefts;
    const perPage = Math.max(1, Math.round(track.clientWidth / (second - first)));
    const end = track.scrollWidth - track.clientWidth;
    return lefts.filter((_, index) => index % perPage === 0).map((left) => Math.min(left - first, end));
  };
  const nearest = (lefts: number[]): number => {
    const distances = lefts.map((left) => Math.abs(left - (aim ?? track.scrollLeft)));
    return distances.lastIndexOf(Math.min(...distances));
  };
  const turnTo = (left: number): void => {
    cancelAnimationFrame(frame);
    aim = left;
    const from = track.scrollLeft;
    const begun = performance.now();
    // Otherwise snapping would pull each frame of the animation back.
    track.style.scrollSnapType = "none";
    const step = (now: number): void => {
      const part = calm.matches ? 1 : Math.min(Math.max((now - begun) / turnMs, 0), 1);
      track.scrollLeft = from + (left - from) * part * (2 - part);
      if (part < 1) frame = requestAnimationFrame(step);
      else {
        aim = null;
        track.style.scrollSnapType = "";
      }
    };
    frame = requestAnimationFrame(step);
  };
  const turnBy = (by: number): void => {
    const lefts = pages();
    const wanted = nearest(lefts) + by;
    const left = lefts[isRound ? (wanted + lefts.length) % lefts.length : wanted];
    if (left !== undefined) turnTo(left);
  };
  const show = (): void => {
    const lefts = pages();
    const now = nearest(lefts);
    if (place !== null) {
      const said = place.dataset.place ?? "";
      const text = said.replace("{at}", String(now + 1)).replace("{of}", String(lefts.length));
      if (place.textContent !== text) place.textContent = text;
    }
    if (pager !== null) pager.hidden = lefts.length === 1;
    for (const dot of box.querySelectorAll<HTMLElement>("[data-to]")) {
      if (dot.dataset.to === String(now)) dot.setAttribute("aria-current", "true");
      else dot.removeAttribute("aria-current");
    }
    for (const arrow of box.querySelectorAll<HTMLElement>("[data-turn]")) {
      // Not `disabled`, which would drop the focus from the button that was just pressed.
      arrow.ariaDisabled = String(!isRound && lefts[now + Number(arrow.dataset.turn)] === undefined);
    }
  };

  onClick(box, "[data-turn], [data-to]", (pressed, event) => {
    // Following the link would scroll the whole page.
    event.preventDefault();
    const { turn, to } = pressed.dataset;
    if (turn !== undefined) turnBy(Number(turn));
    else turnTo(pages()[Number(to)] ?? 0);
  });
  track.addEventListener("scroll", show, { passive: true });
  let resized: ReturnType<typeof setTimeout> | undefined;
  new ResizeObserver(() => {
    clearTimeout(resized);
    resized = setTimeout(show, resizeMs);
  }).observe(track);
  if (button !== null)
    autoplay(
      box,
      button,
      place,
      () => calm.matches,
      () => turnBy(1),
    );
}

function autoplay(
  box: HTMLElement,
  button: HTMLElement,
  place: HTMLElement | null,
  isCalm: () => boolean,
  turn: () => void,
): void {
  const pause = button.ariaLabel;
  const play = button.dataset.autoplay ?? null;
  let isPlaying = true;
  /** Set when Play was pressed: the pointer or focus that pressed it is still on the row and must not pause it. */
  let insists = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rests = (): boolean =>
    !isPlaying || isCalm() || document.hidden || (!insists && box.matches(":hover, :focus-within"));
  const wait = (): void => {
    clearTimeout(timer);
    if (!box.isConnected) return;
    // A row that turns automatically must not be announced on each turn.
    if (place !== null) place.ariaLive = rests() ? "polite" : "off";
    timer = setTimeout(() => {
      if (!rests()) turn();
      wait();
    }, everyMs);
  };
  button.addEventListener("click", () => {
    isPlaying = !isPlaying;
    insists = isPlaying;
    button.ariaLabel = isPlaying ? pause : play;
    button.classList.toggle("paused", !isPlaying);
    wait();
  });
  for (const coming of ["pointerenter", "focusin"]) box.addEventListener(coming, wait);
  for (const going of ["pointerleave", "focusout"]) {
    box.addEventListener(going, () => {
      insists = false;
      // At this point the focus is still inside the row.
      setTimeout(wait);
    });
  }
  wait();
}
