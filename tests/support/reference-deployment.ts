/** Parses the files of docs/operate/reference-deployment, so that tests can check the names in them. */
import { parseYaml } from "@redocly/openapi-core";
import { z } from "zod";
import { textOf } from "./tree.ts";

export const deploymentFolder = "docs/operate/reference-deployment";
const read = (name: string) => textOf(`${deploymentFolder}/${name}`);

export interface Stage {
  name: string;
  from: string;
  instructions: { word: string; rest: string }[];
}

/** The stages of the Dockerfile, in their order. */
export function dockerStages(): Stage[] {
  const lines = read("Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const [, from = "", name = ""] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
    if (word === "FROM") stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest });
  }
  return stages;
}

export function stageOf(name: string): Stage {
  const stage = dockerStages().find((each) => each.name === name);
  if (stage === undefined) throw new Error(`The Dockerfile has no stage ${name}`);
  return stage;
}

/** Arguments of a stage's instructions of one kind. */
export function instructionValues({ instructions }: Stage, word: string): string[] {
  return instructions.filter((each) => each.word === word).map(({ rest }) => rest);
}

/** An instruction in its exec form, as the arguments of a command. */
export function commandOf(stage: Stage): string[] {
  return z.array(z.string()).parse(JSON.parse(instructionValues(stage, "CMD").at(-1) ?? ""));
}

/** Paths of the built project that the image contains. */
export function filesOfImage(): string[] {
  return instructionValues(stageOf("store"), "COPY").map((rest) => {
    const [, file = ""] = /^--from=build \/srv\/store\/(\S+) \.\/\S*$/.exec(rest) ?? [];
    return file;
  });
}

/** The paths that the build context includes: everything else is ignored. */
export function buildContext(): { first: string; taken: string[] } {
  const [first = "", ...taken] = read("Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return { first, taken: taken.map((line) => line.replace(/^!/, "")) };
}

const dependency = z.object({ condition: z.string() });
const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.string().optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional() }).optional(),
  depends_on: z.union([z.record(z.string(), dependency), z.array(z.string())]).optional(),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() }))])
    .optional(),
  profiles: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
});
export type Service = z.infer<typeof service>;

const composeFile = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

export function compose(): z.infer<typeof composeFile> {
  return composeFile.parse(parseYaml(read("compose.yaml")));
}

/** A service's address in its network, if it is fixed. */
export function addressOf({ networks }: Service): string | undefined {
  return networks === undefined || Array.isArray(networks) ? undefined : networks.inside?.ipv4_address;
}

/** The servers between which nginx balances requests. */
export function upstreams(): string[] {
  return [...read("nginx.conf").matchAll(/^\s*server (\S+:\d+) /gm)].map(([, server = ""]) => server);
}

/** The settings of pgbouncer.ini, including those of its databases. */
export function pooler(): Record<string, string> {
  return Object.fromEntries(
    [...read("pgbouncer.ini").matchAll(/^(\w+) =(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value.trim(),
    ]),
  );
}

const scraped = z.object({
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.object({
      job_name: z.string(),
      static_configs: z.array(z.object({ targets: z.array(z.string()) })),
    }),
  ),
});

/** Prometheus's targets, by job. */
export function scrapes(): { ruleFiles: string[]; targets: Record<string, string[]> } {
  const { rule_files, scrape_configs } = scraped.parse(parseYaml(read("prometheus.yml")));
  return {
    ruleFiles: rule_files,
    targets: Object.fromEntries(
      scrape_configs.map(({ job_name, static_configs }) => [
        job_name,
        static_configs.flatMap(({ targets }) => targets),
      ]),
    ),
  };
}

/** The settings of a systemd unit; one that occurs several times is joined by spaces. */
export function unit(name: "store-web" | "store-worker"): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [, key = "", value = ""] of read(`${name}.service`).matchAll(/^(\w+)=(.*)$/gm))
    settings[key] = settings[key] === undefined ? value : `${settings[key]} ${value}`;
  return settings;
}
