/** The landing page and catalogue: `/`. */
import { expect, type Locator, type Page } from "playwright/test";

export type Country = "IN" | "US";
type SectionName = "Featured Services" | "Other Services" | "Add-On Services";

export class HomePage {
  readonly heading: Locator;
  readonly tagline: Locator;
  readonly getStarted: Locator;
  readonly contactUs: Locator;
  readonly offers: Locator;
  readonly pause: Locator;
  readonly play: Locator;
  readonly questions: Locator;
  readonly help: Locator;
  /** The price calculator. */
  readonly cost: { root: Locator; plan: Locator; people: Locator; update: Locator; total: Locator };
  constructor(readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.tagline = page.getByRole("main").getByText(/^Transforming workplaces/);
    this.getStarted = page.getByRole("link", { name: "Get Started", exact: true });
    this.contactUs = page.getByRole("link", { name: "Contact Us", exact: true });
    this.offers = page.getByRole("region", { name: "Offers" });
    this.pause = this.offers.getByRole("button", { name: "Pause the offers" });
    this.play = this.offers.getByRole("button", { name: "Play the offers" });
    this.questions = page.getByRole("region", { name: "Frequently asked questions" });
    const root = page.getByRole("region", { name: "What will it cost?" });
    this.cost = {
      root,
      plan: root.getByLabel("Plan"),
      people: root.getByLabel("Users"),
      update: root.getByRole("button", { name: "Update total" }),
      total: root.locator("[data-bill=total]"),
    };
    this.help = page.getByRole("region", { name: "Talk to us first" });
  }

  async open(address = "/"): Promise<void> {
    await this.page.goto(address);
  }

  async choose(name: "India (₹)" | "USA ($)" | "Microsoft" | "Google"): Promise<void> {
    await this.page.getByRole("main").getByRole("link", { name, exact: true }).click();
  }

  card(plan: string): Locator {
    return this.page
      .getByRole("article")
      .filter({ has: this.page.getByRole("heading", { name: plan, exact: true }) });
  }

  async buyNow(plan: string): Promise<void> {
    await this.card(plan).getByRole("link", { name: "Buy Now" }).click();
  }

  /** The offer at a position, from 1. */
  offer(place: number): Locator {
    return this.offers.getByRole("group", { name: `${place} of 3` });
  }

  dot(place: number): Locator {
    return this.offers.getByRole("link", { name: `Show offer ${place}` });
  }

  turn(offers: "Previous" | "Next"): Locator {
    return this.offers.getByRole("button", { name: `${offers} offer` });
  }

  /** Expects that only this offer is visible. */
  async expectOffer(place: number): Promise<void> {
    await this.offers.scrollIntoViewIfNeeded();
    await expect(this.offer(place)).toBeInViewport({ ratio: 0.9 });
    for (const other of [1, 2, 3].filter((each) => each !== place)) {
      await expect(this.offer(other)).not.toBeInViewport({ ratio: 0.1 });
    }
  }

  section(name: SectionName): Locator {
    return this.page.getByRole("region", { name });
  }

  /** Names of a section's cards that are completely visible without scrolling. */
  shownIn(name: SectionName): Promise<string[]> {
    return this.section(name)
      .getByRole("article")
      .evaluateAll((cards) =>
        cards
          .filter((card) => {
            const { left, right } = card.getBoundingClientRect();
            return left >= 0 && right <= document.documentElement.clientWidth;
          })
          .map((card) => card.querySelector("h3")?.textContent ?? ""),
      );
  }

  scrolledBy(): Promise<number> {
    return this.page.evaluate(() => Math.round(window.scrollY));
  }
}
