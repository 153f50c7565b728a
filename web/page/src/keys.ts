// Keys that do the same wherever one is.

import type { Doc } from "./doc";
import type { HexPane } from "./hexpane";
import type { Notices } from "./notices";
import type { Panes } from "./panes";
import type { TreeView } from "./tree";
import type { Workspace } from "./workspace";

/** What keys ask of the page. */
export interface KeysHost {
  readonly current: Doc | undefined;
  readonly isListing: boolean;
  readonly workspace: Workspace | undefined;
  readonly panes: Panes;
  readonly tree: TreeView;
  readonly hex: HexPane;
  readonly search: HTMLInputElement;
  readonly notices: Notices;
  pick(): Promise<void>;
  save(): Promise<void>;
  travel(way: "undo" | "redo"): Promise<void>;
}

export function onKeys(event: KeyboardEvent, host: KeysHost): void {
  const held = event.ctrlKey || event.metaKey;
  const inField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
  const act = (then: () => void): void => {
    event.preventDefault();
    then();
  };
  const key = event.key.toLowerCase();
  if (held && key === "o") return act(() => void host.pick());
  if (key === "/" && host.isListing && !held && !inField && !event.altKey) return act(() => host.workspace?.focusFilter());
  if (event.key === "Escape" && !host.notices.isEmpty) return host.notices.clear();
  if (!host.current) return;
  if (held && key === "s") act(() => void host.save());
  else if (held && event.shiftKey && key === "f") act(() => host.search.focus());
  else if (held && key === "f") act(() => { host.panes.show("bytes"); host.hex.focusSearch(); });
  else if (held && key === "c" && document.activeElement?.id === "hex") act(() => void navigator.clipboard?.writeText(host.hex.view.copy()));
  else if (held && !inField && key === "z" && !event.shiftKey) act(() => void host.travel("undo"));
  else if (held && !inField && (key === "y" || (key === "z" && event.shiftKey))) act(() => void host.travel("redo"));
  else if (!held && !event.altKey && !inField && key === "/") act(() => { host.panes.show("objects"); host.tree.focusFilter(); });
  else if (event.altKey && /^[1-3]$/.test(event.key)) act(() => host.panes.focus((["objects", "details", "bytes"] as const)[Number(event.key) - 1]));
}
