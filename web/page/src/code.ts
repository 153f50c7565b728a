// Code as text, with its words coloured.

import { CodeEditor, editableText } from "./codeedit";
import type { Host } from "./details";
import { button, h } from "./dom";
import { commitOnEnter } from "./draft";
import { keeps, keptOf, replaceKeeping } from "./keep";
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

interface Code { text: string; defaults: string | null; carried: string | null; listing: string[] | null; strings: { place: number; text: string }[]; language: string }

/** The code of an object, or the editor of it. */
class CodeView {
  readonly element = h("div", {});
  private readonly head = h("p", { class: "muted" });
  private readonly source = h("pre", { class: "code", tabindex: "0", "data-keep": "source", "data-path": "source" });
  private readonly place = h("div", {}, this.source);
  private readonly edit = button("", () => this.open(new CodeEditor(this.host, this.details, this.text!, () => this.left())), { id: "code-edit" });
  private readonly rest = h("div", {});
  private details!: Details;
  /** What can be edited of it. */
  private text: string | null = null;
  private editor: CodeEditor | undefined;

  constructor(private host: Host) {
    const edit = h("p", { class: "actions" }, this.edit);
    this.element.append(this.head, edit, this.place, this.rest);
    keeps<CodeEditor>(this.place, "editor", {
      take: () => this.editor,
      give: (editor) => {
        if (editor.isLeft) return;
        this.put(editor);
        editor.resume(this.details, this.text ?? "", () => this.left());
      },
      isTyped: ({ isLeft, isTyped }) => isTyped && !isLeft,
    });
  }

  get isEdited(): boolean {
    return this.editor !== undefined;
  }

  /** Shows the code of an object, at first and as it is after a change; an editor that is open stays where it is. */
  show(details: Details, code: Code): void {
    const { host } = this;
    this.details = details;
    this.text = editableText(details, code);
    this.head.replaceChildren(`Decompiled, ${code.language}.`, ...(code.carried ? [" Its authors\u2019 text is there as well: ", button("read it", () => host.go(code.carried!), { class: "link" })] : []));
    this.source.setAttribute("aria-label", `${details.title} as ${code.language}`);
    this.source.replaceChildren(colored(code.text));
    this.edit.textContent = this.text === code.text ? "Edit" : "Edit the default values";
    this.edit.parentElement!.hidden = this.text === null;
    replaceKeeping(this.rest, h("div", {}, stringsOf(host, details, code), bytecodeOf(code)), keptOf(this.rest));
    this.editor?.resume(details, this.text ?? "", () => this.left());
  }

  private put(editor: CodeEditor): void {
    this.editor = editor;
    this.edit.hidden = true;
    this.place.replaceChildren(editor.element);
  }

  private open(editor: CodeEditor): void {
    this.put(editor);
    editor.focus();
  }

  private left(): void {
    const hadFocus = this.place.contains(document.activeElement);
    this.editor = undefined;
    this.place.replaceChildren(this.source);
    this.edit.hidden = false;
    if (hadFocus) this.edit.focus();
  }
}

/** The strings in code, as fields. */
function stringsOf(host: Host, details: Details, { strings }: Code): HTMLElement | null {
  return strings.length === 0 ? null : h("section", {}, h("h3", {}, "Strings"), h("dl", { class: "facts" }, ...strings.flatMap(({ place, text }) => {
    const at = `0x${place.toString(16)}`;
    const input = h("input", { type: "text", value: text, class: "wide", "aria-label": `String at ${at}`, "data-path": `string-${at}`, autocomplete: "off", spellcheck: false });
    commitOnEnter(input, () => host.change({ do: "string", object: details.object, place, text: input.value }), text);
    return [h("dt", {}, h("code", {}, at)), h("dd", {}, input)];
  })));
}

function bytecodeOf({ listing }: Code): HTMLElement | null {
  return !listing || listing.length === 0 ? null : h("details", { "data-keep": "bytecode" }, h("summary", { "data-path": "bytecode" }, `Bytecode, ${listing.length} ${listing.length === 1 ? "token" : "tokens"}`),
    h("pre", { class: "code", tabindex: "0", "aria-label": "Bytecode", "data-keep": "bytecode text" }, h("code", {}, listing.join("\n"))));
}

/** Views by what shows them. */
const views = new WeakMap<Element, CodeView>();

/** The code of an object; `shown` is the view of it that is there already, which goes on while it is edited: moved, its editor would forget what can be undone. */
export async function codeTab(host: Host, details: Details, shown: Element | null): Promise<HTMLElement> {
  const code = await host.doc().get<Code>("code", { row: details.row });
  const known = shown ? views.get(shown) : undefined;
  const view = known?.isEdited ? known : new CodeView(host);
  views.set(view.element, view);
  view.show(details, code);
  return view.element;
}
