/** Requests with hostile bodies: forms, uploads and calls. */
import { type Choose, encoded, get, type Made, madeOf, many } from "./parts.ts";
import type { Sent } from "./send.ts";
import { textNames, textOf } from "./texts.ts";
import type { Call, PostedForm } from "./walk.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };
const json = { "Content-Type": "application/json", Accept: "application/json" };

export function formCases({ path, fields }: PostedForm, choose: Choose): Made[] {
  const intent = fields.find(([name]) => name === "intent")?.[1] ?? "";
  const where = `${path} ${intent} `;
  const made = madeOf("form", where);
  const post = (body: string): Sent => ({ method: "POST", path, headers: form, body });
  const [first = "a"] = choose([...fields, ["a", ""]]);
  const after = (more: string) => post(`${new URLSearchParams(fields)}&${more}`);
  const perField = [...new Set(fields.map(([name]) => name))].map((name) => {
    const text = choose(textNames);
    const others = fields.filter(([other]) => other !== name);
    return made(`${name}: ${text}`, (bytes) =>
      post(new URLSearchParams([...others, [name, textOf(text, bytes)]]).toString()),
    );
  });
  return [
    ...perField,
    made("many fields", (bytes) => after(many(bytes, "&", (n) => `f${n}=1`))),
    made("one field repeated", (bytes) => after(many(bytes, "&", (n) => `${first}=${n}`))),
    made("deep name", (bytes) => after(`${first}${"[b]".repeat(bytes / 3)}=1`)),
    made("deep dotted name", (bytes) => after(`${first}${".b".repeat(bytes / 2)}=1`)),
    made("list", (bytes) => after(many(bytes, "&", (n) => `${first}[${n}]=1`))),
    ...uploadCases(path, where, first),
  ];
}

function uploadCases(path: string, where: string, first: string): Made[] {
  const made = madeOf("upload", where);
  const upload = (parts: string): Sent => ({
    method: "POST",
    path,
    headers: { "Content-Type": "multipart/form-data; boundary=b", "Sec-Fetch-Site": "same-origin" },
    body: `${parts}--b--\r\n`,
  });
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = 'file"; filename="a.csv';
  const row = (n: number) => `${n},"",INR,1.00,""`;
  return [
    made("parts", (bytes) => upload(many(bytes, "", (n) => part(`${first}${n}`, "1")))),
    made("boundaries", (bytes) => upload("--b".repeat(bytes / 3))),
    made("almost boundaries", (bytes) => upload(part(file, "\r\n--".repeat(bytes / 4)))),
    made("part headers", (bytes) => upload(part(`${first}"; ${"a=b; ".repeat(bytes / 5)}c="`, "1"))),
    made("rows", (bytes) => upload(part(file, many(bytes, "\r\n", row)))),
    made("columns", (bytes) => upload(part(file, ",".repeat(bytes)))),
    made("quotes", (bytes) => upload(part(file, '"'.repeat(bytes)))),
  ];
}

export function callCases({ method, path, example }: Call, choose: Choose): Made[] {
  const names = Object.keys(example);
  const made = madeOf("call", `${method} ${path} `);
  if (method === "GET")
    return [...names, "a"].map((name) => {
      const text = choose(textNames);
      const others = Object.entries(example).filter(([other]) => other !== name);
      const query = new URLSearchParams(others.map(([other, value]) => [other, String(value)]));
      return made(`${name}: ${text}`, (bytes) =>
        get(`${path}?${query}&${name}=${encoded(text, bytes)}`, json),
      );
    });
  const post = (body: string): Sent => ({ method, path, headers: json, body });
  const perField = names.map((name) => {
    const text = choose(textNames);
    return made(`${name}: ${text}`, (bytes) =>
      post(JSON.stringify({ ...example, [name]: textOf(text, bytes) })),
    );
  });
  return [...perField, ...jsonCases(`${path} `, choose([...names, "a"]), example, post)];
}

function jsonCases(
  where: string,
  name: string,
  example: Call["example"],
  post: (body: string) => Sent,
): Made[] {
  const made = madeOf("JSON", where);
  const withOne = (value: string) =>
    post(JSON.stringify({ ...example, [name]: "§" }).replace('"§"', () => value));
  return [
    made(`${name}: deep`, (bytes) => withOne(textOf("JSON objects", bytes))),
    made(`${name}: deep list`, (bytes) => withOne(textOf("JSON lists", bytes))),
    made(`${name}: long number`, (bytes) => withOne("9".repeat(bytes))),
    made(`${name}: list`, (bytes) => withOne(`[${many(bytes, ",", (n) => `{"a":${n}}`)}]`)),
    made(`${name}: escapes`, (bytes) => withOne(`"${"\\u0000".repeat(bytes / 6)}"`)),
    made("many fields", (bytes) => post(`{${many(bytes, ",", (n) => `"f${n}":1`)}}`)),
    made("one field repeated", (bytes) => post(`{${many(bytes, ",", (n) => `"${name}":${n}`)}}`)),
    made("prototype", (bytes) => post(`{"__proto__":{${many(bytes, ",", (n) => `"f${n}":1`)}}}`)),
    made("blanks", (bytes) => post(`${" ".repeat(bytes)}{}`)),
  ];
}
