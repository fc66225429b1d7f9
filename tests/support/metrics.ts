/** Parses /metrics, and the queries of the dashboard and the alerts. */
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

  /** Names of all series, with or without samples. */
  names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
  }

  /** Sum of the samples that have these labels, with any others; 0 without any. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.text
      .split("\n")
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) =>
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  }

  /** The values of a label. */
  valuesOf(name: string, label: string): string[] {
    const found = this.text.matchAll(new RegExp(`^${name}\\{[^}]*\\b${label}="([^"]*)"`, "gm"));
    return [...new Set([...found].map(([, value = ""]) => value))];
  }
}

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** All expressions of docs/operate/grafana/dashboard.json. */
export function dashboardExpressions(): string[] {
  const { panels } = dashboard.parse(JSON.parse(read("grafana/dashboard.json")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

export interface AlertRule {
  name: string;
  expression: string;
  runbook: string;
}

/** All rules of docs/operate/alerts.yml, which has one key per line. */
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

/** The series in a PromQL expression; a histogram's by the histogram's name. */
export function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, "");
  const names = [...bare.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?!\s*\()/g)].map(([, name = ""]) => name);
  return names.filter((name) => !words.has(name)).map((name) => name.replace(/_(?:bucket|count|sum)$/, ""));
}

/** The anchors of a document's headings, as GitHub generates them. */
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
