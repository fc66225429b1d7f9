/** A form with a file: its fields and the file are separate, and both have size limits. */
import { expect, test } from "vitest";
import { readUpload } from "#app/http/upload.ts";

const words = { tooLarge: "Too large." };
const upload = { field: "file", maxBytes: 2_000_000, words };

function post(form: FormData, length?: number): Request {
  const request = new Request("http://store.example/", { method: "POST", body: form });
  if (length !== undefined) request.headers.set("Content-Length", String(length));
  return request;
}

function formOf(file: File | null, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== null) form.append("file", file);
  return form;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

test("separates fields and file, whatever they contain", async () => {
  const text = `item,price\r\n"--boundary\r\n",₹\r\n${"x".repeat(100_000)}`;
  const form = formOf(new File([text], "../folder/क़ीमतें.csv"), { reason: "नया साल & more", from: "" });
  const { form: fields, file } = await readUpload(post(form), upload);
  expect([...fields]).toEqual([
    ["reason", "नया साल & more"],
    ["from", ""],
  ]);
  expect.assert(file);
  expect(file.name).toBe("क़ीमतें.csv");
  expect(await textOf(file.pieces())).toBe(text);
  expect(await textOf(file.pieces())).toBe(text);
});

test("returns null without a file, for both encodings of a form", async () => {
  const { file } = await readUpload(post(formOf(new File([], ""))), upload);
  expect(file).toBeNull();
  const body = new URLSearchParams({ reason: "because" });
  const plain = await readUpload(new Request("http://store.example/", { method: "POST", body }), upload);
  expect([plain.file, plain.form.get("reason")]).toEqual([null, "because"]);
});

test.each([
  ["the file", formOf(new File(["x".repeat(2_000_001)], "a.csv"))],
  ["the fields", formOf(null, { one: "x".repeat(40_000), other: "y".repeat(40_000) })],
])("refuses a form that is too large: %s", async (_what, form) => {
  await expect(readUpload(post(form), upload)).rejects.toMatchObject({ code: "too_large" });
});

test("refuses a too large Content-Length without reading the body", async () => {
  const request = post(formOf(new File(["x"], "a.csv")), 2_000_001);
  await expect(readUpload(request, upload)).rejects.toMatchObject({ code: "too_large" });
  expect(request.bodyUsed).toBe(false);
});

test("refuses a form with too many fields", async () => {
  const form = new FormData();
  for (let count = 0; count < 60; count += 1) form.append("reason", "x");
  await expect(readUpload(post(form), upload)).rejects.toMatchObject({ code: "bad_request" });
});

test("refuses a malformed body, and a type that is not a form", async () => {
  const send = (type: string, body: string) =>
    readUpload(
      new Request("http://store.example/", { method: "POST", body, headers: { "Content-Type": type } }),
      upload,
    );
  for (const [type, body] of [
    ["multipart/form-data", "nothing"],
    ["multipart/form-data; boundary=x", "--x\r\nnothing"],
    ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nno end'],
  ] as const)
    await expect(send(type, body), body).rejects.toMatchObject({ code: "bad_request" });
  await expect(send("application/json", "{}")).rejects.toMatchObject({ code: "unsupported_media_type" });
});

test.each([
  ["a spreadsheet", Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe])],
  ["UTF-16 without a mark", Buffer.from("item", "utf16le")],
  ["Windows-1252", Buffer.from("Caf\xe9", "latin1")],
  ["a NUL", "item\0"],
  ["half a character at its end", Buffer.from("₹").subarray(0, 2)],
])("refuses %s as text", async (_what, bytes) => {
  const { file } = await readUpload(post(formOf(new File([bytes], "a.csv"))), upload);
  expect.assert(file);
  await expect(textOf(file.pieces())).rejects.toMatchObject({
    code: "bad_request",
    fields: { file: expect.stringContaining("UTF-8") },
  });
});
