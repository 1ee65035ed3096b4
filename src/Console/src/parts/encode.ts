import { InputError } from "../api/problem.ts";

/** As much as the gateway takes in one request by default. */
const MOST_BYTES = 1_048_576;

/** The text of a PEM file as it is; other bytes as Base64. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = await bytesOf(file);
  const text = new TextDecoder().decode(bytes);
  return text.includes("-----BEGIN ") ? text : base64(bytes);
}

/** A file that is a text. */
export async function plainTextOf(file: Blob): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await bytesOf(file));
  } catch (error) {
    throw error instanceof InputError ? error : new InputError("This file is no text in UTF-8.");
  }
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new InputError("This file is larger than 1 MiB: it is something else.");
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new InputError("The browser cannot read this file: it may have changed or gone. Choose it again.");
  }
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
