/** A name server over UDP that knows the TXT records set through /control, and answers that any other name does not exist. */
import { createSocket, type Socket } from "node:dgram";

/** Values by name, in lower case. */
export type TextRecords = Map<string, readonly string[]>;

const headerBytes = 12;
const textType = 16;
const internetClass = 1;
const noSuchName = 3;
/** Compression pointer to the name at the start of the question. */
const pointer = 0xc000 + headerBytes;

/** @returns the server, listening on UDP */
export async function startDns(records: TextRecords, port: number, host: string): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const reply = answer(records, query);
    if (reply !== null) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(port, host, () => {
      socket.off("error", reject);
      resolve();
    });
  });
  return socket;
}

/** Null for a message that is not a question. */
function answer(records: TextRecords, query: Buffer): Buffer | null {
  const question = readQuestion(query);
  if (question === null) return null;
  const values = question.type === textType ? (records.get(question.name) ?? []) : [];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An authoritative answer to a question that requested recursion.
  header.writeUInt16BE(0x8580 + (values.length === 0 ? noSuchName : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, question.end), ...values.map(textRecord)]);
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } | null {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]; length !== undefined && length > 0; length = query[at]) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  if (end > query.length) return null;
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end };
}

function textRecord(value: string): Buffer {
  const text = Buffer.from(value, "latin1").subarray(0, 255);
  const head = Buffer.alloc(13);
  head.writeUInt16BE(pointer, 0);
  head.writeUInt16BE(textType, 2);
  head.writeUInt16BE(internetClass, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(text.length + 1, 10);
  head.writeUInt8(text.length, 12);
  return Buffer.concat([head, text]);
}
