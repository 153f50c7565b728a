// Addresses: `#FILE/OBJECT&tab=…&byte=…`. They survive a reload, and lead there as soon as the file is open again.

import type { Place } from "./doc";
import type { Tab } from "./messages";

/** What an address names. */
export interface Addressed {
  /** The file; the current one where an address names none. */
  file?: string;
  place?: Place;
}

export function addressOf(file: string, { key, tab, at }: Place): string {
  const object = encodeURIComponent(key).replace(/%3A/g, ":");
  const parts = [`${encodeURIComponent(file)}/${object}`, tab && `tab=${tab}`, at !== undefined && `byte=0x${at.toString(16)}`];
  return `#${parts.filter(Boolean).join("&")}`;
}

/** The address of a list of files. */
export function addressOfList(name: string): string {
  return `#${encodeURIComponent(name)}/`;
}

/** A name as an address has it; as it stands where it is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function readAddress(hash: string): Addressed {
  const [path, ...rest] = hash.slice(1).split("&");
  if (!path && rest.length === 0) return {};
  const slash = path.indexOf("/");
  const file = slash < 0 ? undefined : decoded(path.slice(0, slash));
  const key = decoded(path.slice(slash + 1));
  const values = new Map(rest.map((part) => part.split("=", 2) as [string, string]));
  const byte = Number(values.get("byte") ?? NaN);
  const place = key || rest.length ? { key: key || "header", tab: values.get("tab") as Tab | undefined, at: Number.isFinite(byte) ? byte : undefined } : undefined;
  return { file, place };
}

/** A name that none of `others` has: with a number behind it where one has it. */
export function labelFor(name: string, others: string[]): string {
  let label = name;
  for (let number = 2; others.includes(label); number++) label = `${name}~${number}`;
  return label;
}
