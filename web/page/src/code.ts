// Code as text, with its words coloured.

import { codeEditor, editableText } from "./codeedit";
import { commitOnEnter } from "./details";
import type { Host } from "./details";
import { button, h } from "./dom";
import type { Details } from "./messages";

const WORDS = new Set(("abstract array auto begin bool break byte case class config const continue default defaultproperties delegate do else end enum event exec expands extends " +
  "false final float for foreach function global globalconfig goto if ignores import int iterator latent local name native new noexport none nousercreate object " +
  "operator optional out postoperator preoperator private protected public reliable replication return return self simulated singular state static string struct super switch " +
  "transient travel true unreliable until var vect rot while within").split(" "));

/** Lines that are coloured; longer texts stay plain. */
const MOST = 400_000;

function colored(text: string): Node {
  const code = h("code", {});
  if (text.length > MOST) {
    code.textContent = text;
    return code;
  }
  const part = /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(\b\d[\w.]*\b)|([A-Za-z_]\w*)/g;
  let from = 0;
  for (const match of text.matchAll(part)) {
    const kind = match[1] ? "comment" : match[2] ? "string" : match[3] ? "number" : WORDS.has(match[0].toLowerCase()) ? "word" : "";
    if (!kind) continue;
    if (match.index > from) code.append(text.slice(from, match.index));
    code.append(h("span", { class: `code-${kind}` }, match[0]));
    from = match.index + match[0].length;
  }
  code.append(text.slice(from));
  return code;
}

export async function codeTab(host: Host, details: Details): Promise<Node> {
  const code = await host.doc().get<{ text: string; defaults: string | null; carried: string | null; listing: string[] | null; strings: { place: number; text: string }[]; language: string }>("code", { row: details.row });
  const listing = code.listing;
  const source = h("pre", { class: "code", tabindex: "0", "aria-label": `${details.title} as ${code.language}` }, colored(code.text));
  const place = h("div", {}, source);
  const text = editableText(details, code);
  const edit = button(text === code.text ? "Edit" : "Edit the default values", () => {
    const close = (): void => {
      place.replaceChildren(source);
      edit.hidden = false;
      edit.focus();
    };
    edit.hidden = true;
    place.replaceChildren(codeEditor(host, details, text!, close));
    place.querySelector("textarea")!.focus();
  }, { id: "code-edit" });
  const tokens = listing && listing.length > 0 ? h("details", { "data-keep": "bytecode" }, h("summary", { "data-path": "bytecode" }, `Bytecode, ${listing.length} ${listing.length === 1 ? "token" : "tokens"}`),
    h("pre", { class: "code", tabindex: "0", "aria-label": "Bytecode" }, h("code", {}, listing.join("\n")))) : null;
  const strings = code.strings.length === 0 ? null : h("section", {}, h("h3", {}, "Strings"), h("dl", { class: "facts" }, ...code.strings.flatMap(({ place, text }) => {
    const at = `0x${place.toString(16)}`;
    const input = h("input", { type: "text", value: text, class: "wide", "aria-label": `String at ${at}`, "data-path": `string-${at}`, autocomplete: "off", spellcheck: false });
    commitOnEnter(input, () => host.change({ do: "string", object: details.object, place, text: input.value }), text);
    return [h("dt", {}, h("code", {}, at)), h("dd", {}, input)];
  })));
  return h("div", {},
    h("p", { class: "muted" }, `Decompiled, ${code.language}.`, code.carried ? " Its authors\u2019 text is there as well: " : "",
      code.carried ? button("read it", () => host.go(code.carried!), { class: "link" }) : null),
    text !== null ? h("p", { class: "actions" }, edit) : null, place, strings, tokens);
}
