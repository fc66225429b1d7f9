/** Reading what /metrics says, and what the dashboard and the alerts ask of it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { projectFolder } from "./tree.ts";

export class Metrics {
  constructor(readonly text: string) {}

  static async at(port: number): Promise<Metrics> {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
    return new Metrics(await answer.text());
  }

  /** The names of all series, with samples or without. */
  names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
  }

  /** The sum of the samples that have these labels, whatever others they have; 0 without any. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.text
      .split("\n")
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) =>
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  }

  /** The values that a label has. */
  valuesOf(name: string, label: string): string[] {
    const found = this.text.matchAll(new RegExp(`^${name}\\{[^}]*\\b${label}="([^"]*)"`, "gm"));
    return [...new Set([...found].map(([, value = ""]) => value))];
  }
}

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** Every expression of docs/operate/grafana/dashboard.json. */
export function dashboardExpressions(): string[] {
  const { panels } = dashboard.parse(JSON.parse(read("grafana/dashboard.json")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

export interface AlertRule {
  name: string;
  expression: string;
  runbook: string;
}

/** Every rule of docs/operate/alerts.yml, which is written one key a line. */
export function alertRules(): AlertRule[] {
  const one = (rule: string, key: RegExp) => key.exec(rule)?.[1] ?? "";
  return read("alerts.yml")
    .split("      - alert: ")
    .slice(1)
    .map((rule) => ({
      name: one(rule, /^(\S+)/),
      expression: one(rule, /^ +expr: '?(.*?)'?$/m),
      runbook: one(rule, /^ +runbook: (\S+)$/m),
    }));
}

const words = new Set(["by", "on", "and", "or", "unless", "without", "ignoring", "offset", "bool"]);

/** The series that an expression of PromQL names, a histogram's by the histogram. */
export function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, "");
  const names = [...bare.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?!\s*\()/g)].map(([, name = ""]) => name);
  return names.filter((name) => !words.has(name)).map((name) => name.replace(/_(?:bucket|count|sum)$/, ""));
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

export function read(file: string): string {
  return readFileSync(path.join(projectFolder, "docs/operate", file), "utf8");
}
