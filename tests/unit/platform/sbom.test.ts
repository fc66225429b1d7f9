/** The software bill of materials, which customers' security departments read: every production package, and no other. */
import { expect, it } from "vitest";
import { z } from "zod";
import { projectFolder, run, textOf } from "#tests/support/tree.ts";

interface Component {
  group?: string | undefined;
  name: string;
  version: string;
  components?: Component[] | undefined;
}

const componentSchema: z.ZodType<Component> = z.object({
  group: z.string().optional(),
  name: z.string(),
  version: z.string(),
  get components() {
    return z.array(componentSchema).optional();
  },
});

const bomSchema = z.object({ bomFormat: z.literal("CycloneDX"), components: z.array(componentSchema) });

const manifestSchema = z.object({
  scripts: z.object({ sbom: z.string() }),
});

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});

/** Lists a component and its nested ones as "name@version". */
function named(component: Component): string[] {
  const name = component.group ? `${component.group}/${component.name}` : component.name;
  return [`${name}@${component.version}`, ...(component.components ?? []).flatMap(named)];
}

it("lists every production package of the lock file, and no other", async () => {
  const manifest = manifestSchema.parse(JSON.parse(textOf("package.json")));
  const [command = "", ...args] = manifest.scripts.sbom.split(" ");
  const { code, stdout, output } = await run(command, args, projectFolder);
  expect(code, output).toBe(0);
  const listed = bomSchema.parse(JSON.parse(stdout)).components.flatMap(named);

  const { packages } = lockSchema.parse(JSON.parse(textOf("package-lock.json")));
  const production = Object.entries(packages)
    .filter(([place, entry]) => place !== "" && !entry.dev)
    .map(([place, entry]) => `${place.split("node_modules/").at(-1)}@${entry.version}`);

  expect([...new Set(listed)].sort()).toEqual([...new Set(production)].sort());
});
