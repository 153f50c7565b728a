// A field whose text is taken over as a whole, and what was typed into it and is stored nowhere yet.

import { h } from "./dom";
import { keeps } from "./keep";

/** A text that was handed on and is not answered yet. */
interface Handed { text: string; done: Promise<boolean> }

/** What was typed, over which stored text, and how it stands with it. */
interface Draft { text: string; over: string; handed?: Handed; isRefused: boolean }

/** Characters of a stored text that a note shows. */
const SHOWN = 120;

/** Enter or leaving the field takes its value over; Escape brings the stored one back. What is typed stays when its view comes anew. */
export function commitOnEnter(input: HTMLInputElement | HTMLTextAreaElement, commit: () => Promise<boolean>, stored: string): void {
  /** The stored text that its user has seen. */
  let over = stored;
  let handed: Handed | undefined;
  let isRefused = false;
  /** It was typed into the field that was here before: the browser doesn't know that it has changed. */
  let isGiven = false;
  let note: HTMLElement | undefined;

  const refuse = (refused: boolean): void => {
    isRefused = refused;
    input.setAttribute("aria-invalid", String(refused));
  };
  const settle = (): void => {
    over = stored;
    isGiven = false;
    note?.remove();
    note = undefined;
  };
  /** Says that another change has stored something else meanwhile: what is typed neither goes away nor wins silently. */
  const warn = (): void => {
    if (over === stored || input.value === stored) return;
    const text = stored.length > SHOWN ? `${stored.slice(0, SHOWN)}\u2026` : stored;
    const key = input instanceof HTMLTextAreaElement ? "Ctrl+Enter" : "Enter";
    note?.remove();
    note = h("p", { class: "note stored-meanwhile", role: "status" }, `Another change has stored meanwhile: ${text || "nothing"}. ${key} stores what is typed here, Escape takes that.`);
    input.after(note);
  };
  const follow = async (one: Handed): Promise<void> => {
    handed = one;
    input.setAttribute("aria-busy", "true");
    const isDone = await one.done;
    handed = undefined;
    input.removeAttribute("aria-busy");
    refuse(!isDone);
    if (!isDone) return warn();
    settle();
  };
  const run = async (): Promise<void> => {
    // Browsers say that a field was left when it is taken off the page: what is typed in it is not finished then.
    await Promise.resolve();
    if (!input.isConnected || handed || input.value === stored) return;
    const text = input.value;
    await follow({ text, done: commit() });
    if (!isRefused) stored = over = text;
  };
  input.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    const ends = input instanceof HTMLInputElement || ctrlKey || metaKey;
    if (key === "Enter" && ends) {
      event.preventDefault();
      void run();
    } else if (key === "Escape") {
      input.value = stored;
      refuse(false);
      settle();
    }
  });
  input.addEventListener("change", () => void run());
  const path = input.dataset.path ?? input.getAttribute("aria-label") ?? "";
  // An element or a string of code may be another one after a change of what lies before it: only Enter stores there.
  const isMovable = /\[|-0x/.test(path);
  input.addEventListener("blur", () => { if (isGiven && !isRefused && !note && !isMovable) void run(); });
  keeps<Draft>(input, `typed ${path}`, {
    take: () => (input.value === stored && !handed ? undefined : { text: input.value, over, handed, isRefused }),
    give: (draft) => {
      input.value = draft.text;
      over = draft.over;
      isGiven = true;
      if (!draft.handed) {
        refuse(draft.isRefused && draft.text !== stored);
        return warn();
      }
      const { text } = draft.handed;
      // As soon as it is stored, it stands here as it is stored.
      void follow(draft.handed).then(() => { if (!isRefused && input.value === text) input.value = stored; });
    },
    isTyped: () => true,
  });
}
