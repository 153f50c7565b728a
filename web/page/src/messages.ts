// What page and worker say to each other, and what the answers look like.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What the worker is asked. */
export interface Ask {
  id: number;
  request: Record<string, unknown>;
  /** Files whose bytes go along, in this order. */
  files?: Blob[];
  /** Files that stay where they are: of them only those bytes are read that are needed. */
  lent?: File[];
}

/** A place in a text that was given, and what is wrong there; lines and columns count from 1. */
export interface TextPlace { line: number; column: number; length: number; message: string; hint: string | null }

/** What it answers. */
export interface Reply {
  id: number;
  /** The answer, as JSON in UTF-8. */
  json?: ArrayBuffer;
  bytes?: ArrayBuffer;
  /** Bytes of lent files that were read for it. */
  read?: number;
  /** The module has ended; nothing more can be asked. */
  crash?: string;
}

export interface Summary {
  name: string;
  package: number;
  engine: string;
  version: string;
  game: string;
  release: string | null;
  unversioned: boolean;
  newer: boolean;
  bytes: number;
  file: number;
  split: number | null;
  /** How it is stored, if it does not lie in its file as it is. */
  packed: string | null;
  names: number;
  imports: number;
  exports: number;
  rows: number;
  /** Whether it has a level, which is drawn first. */
  map: boolean;
  asset: string | null;
  sections: { name: string; start: number; end: number }[];
  changes?: Changes;
}

export interface Changes {
  list: { text: string; command: string }[];
  done: number;
}

export interface TreeRow {
  key: string;
  depth: number;
  label: string;
  detail: string;
  icon: string;
  inner: number;
  open: boolean;
}

export interface Edit {
  change: Record<string, unknown>;
  field: string;
}

export interface Fact {
  label: string;
  value: string;
  link?: string;
  range?: [number, number] | null;
  flags?: string[];
  edit?: Edit;
}

export type Tab =
  | "map" | "mesh" | "animation" | "graph" | "curve" | "sizes" | "dependencies" | "properties" | "code" | "picture" | "sound" | "text" | "table" | "file" | "rows" | "references" | "fields";

export interface Details {
  key: string;
  title: string;
  subtitle: string;
  path?: string;
  /** What addresses call it. */
  address: string;
  object?: string;
  row?: number;
  /** Where its thumbnail is. */
  thumbnail?: string | null;
  facts: Fact[];
  tabs: Tab[];
  notes?: string[];
  range: [number, number] | null;
  columns?: string[];
  total?: number;
}

export interface Property {
  path: string;
  type: string;
  kind: "bool" | "int" | "byte" | "float" | "object" | "name" | "text" | "other";
  text: string;
  long: boolean;
  link: string | null;
  inner: boolean;
  color: boolean;
  opaque: boolean;
}

/** Start, end, path, type, value, meaning, kind. */
export type Field = [number, number, string, string, string, string, Kind];
export type Kind = "typed" | "text" | "payload" | "opaque" | "gap";

export interface FieldCard {
  field: Field;
  place: string;
  object: string | null;
  refers: { link: string; text: string } | null;
  jump: number | null;
  /** The property that other bytes set, or why none does. */
  set: { property: string | null; reason: string | null };
  layout: null | {
    layout: string; field: string; type: string; doc: string; bounds: string; when: string | null;
  };
}

export interface Proof {
  identical: boolean;
  reason: string | null;
  rebuilt: number;
  bytes: number;
  image: number;
  coverage: { typed: number; payload: number; opaque: number; gap: number };
  positions: { checked: number; wrong: number };
  undecoded: { key: string; path: string; error: string }[];
  undecoded_count: number;
}

export interface Known {
  games: { slug: string; title: string }[];
  releases: string[];
  samples: [string, string][];
  version: string;
}
