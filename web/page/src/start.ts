// What is there before anything is open.

import { button, h } from "./dom";
import type { Known } from "./messages";

/** `awaited` is the file that the address names. */
export function startPage(known: Known, awaited: string | undefined, choose: () => void, sample: (name: string) => void, recent: HTMLElement): HTMLElement {
  return h("div", { class: "welcome" },
    h("h2", {}, "Look into Unreal Engine packages"),
    h("p", { class: "lead" }, "Unreal Engine 1 to 6. Every byte with its field, every object with its values; change them and save with the same proof as on the command line. Nothing leaves this machine."),
    awaited ? h("p", { class: "note" }, `This address leads into ${awaited}: open that file to go there.`) : null,
    h("div", { class: "drop" },
      h("p", {}, "Drop files or folders here"),
      h("p", {}, button("Choose files\u2026", choose, { class: "primary", id: "choose" })),
      h("p", { class: "muted" }, ".u .unr .utx .uax .umx .upk .udk .pcc .xxx .ut2 .uasset .umap \u2014 with their .uexp, .ubulk and .usmap; .pak, .utoc with .ucas")),
    recent,
    h("h3", {}, "Or look at one that is made for you"),
    h("ul", { class: "samples" }, ...known.samples.map(([name, what]) => h("li", {}, button(name, () => sample(name), { class: "link", "data-sample": name }), h("span", { class: "muted" }, ` ${what}`)))),
    h("h3", {}, "Keys"),
    h("dl", { class: "keys" }, ...([["/", "filter the objects"], ["Alt+1, 2, 3", "objects, details, bytes"], ["Ctrl+F", "search the bytes"], ["Ctrl+Z, Ctrl+Y", "undo, redo"], ["Ctrl+S", "save"]] as const)
      .flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", { class: "muted version" }, `farchive ${known.version}`));
}
