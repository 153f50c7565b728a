// Files that are put into objects: chosen, dropped, pasted.

import type { Host } from "./details";
import { button, h } from "./dom";
import type { Failure } from "./engine";
import { keeps } from "./keep";
import type { Details } from "./messages";

/** Options that let a refused picture in, by the failure's kind: text of the button, and part of the change. */
const OFFERS: Record<string, [string, Record<string, unknown>][]> = {
  palette: [["Take the nearest colours", { palette: "nearest" }], ["Give it a palette of its own", { palette: "own" }]],
  inline: [["Store all sizes in the package", { inline: true }]],
};

/** What commands call an object: its path, where no other one has that, else its row. */
export function objectOf({ address, object }: Details): string {
  return address.startsWith("path:") ? address.slice("path:".length) : object!;
}

/** A file that was refused, with the options that it was given. */
interface Offered { failure: Failure; file: File; more: Record<string, unknown> }

export class Replacing {
  /** The refusal, with buttons for the options. */
  readonly said = h("div", { class: "refused", role: "status" });

  private offered: Offered | undefined;

  constructor(private host: Host, private details: Details) {
    keeps<Offered>(this.said, "refused file", { take: () => this.offered, give: (offered) => void this.offer(offered) });
  }

  /** Gives the object the content of a file. */
  async put(file: File, more: Record<string, unknown> = {}): Promise<boolean> {
    this.said.replaceChildren();
    this.offered = undefined;
    // The file itself may change or go away before the change is done again.
    const kept = new File([await file.arrayBuffer()], file.name, { type: file.type });
    return this.host.change({ do: "import", object: objectOf(this.details), file: kept, ...more }, (failure) => {
      const buttons = this.offer({ failure, file: kept, more });
      buttons?.[0].focus();
      return buttons !== undefined;
    });
  }

  private offer(offered: Offered): HTMLElement[] | undefined {
    const { failure, file, more } = offered;
    const offers = OFFERS[failure.kind];
    if (!offers) return undefined;
    this.offered = offered;
    const buttons = offers.map(([text, added]) => button(text, () => void this.put(file, { ...more, ...added })));
    this.said.replaceChildren(h("div", { class: "note" }, h("p", {}, failure.message), h("p", { class: "actions" }, ...buttons)));
    return buttons;
  }

  /** A button that lets its user choose the file. */
  button(text: string, accept: string): HTMLElement {
    const chooser = h("input", {
      type: "file", accept, class: "hidden", tabindex: "-1", "aria-hidden": "true", "data-replace": "file", onchange: () => {
        const file = chooser.files?.[0];
        chooser.value = "";
        if (file) void this.put(file);
      },
    });
    return h("span", {}, button(text, () => chooser.click()), chooser);
  }

  /** Lets one file be dropped on an element; what is dropped elsewhere is opened. */
  takesDrops(element: HTMLElement): void {
    element.classList.add("takes-drops");
    const mark = (isOver: boolean): void => { element.classList.toggle("dropping", isOver); };
    element.addEventListener("dragover", () => mark(true));
    element.addEventListener("dragleave", () => mark(false));
    element.addEventListener("drop", (event) => {
      mark(false);
      const files = event.dataTransfer?.files;
      if (files?.length !== 1) return;
      event.preventDefault();
      event.stopPropagation();
      document.body.classList.remove("dragging");
      void this.put(files[0]);
    });
  }
}
