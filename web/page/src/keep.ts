// What stays when a view is made anew after a change: what its user has opened, chosen and written there.

type Field = HTMLTextAreaElement | HTMLSelectElement;

/** What the elements called `data-keep` hold, by their names. */
export interface Kept { open: Map<string, boolean>; values: Map<string, string> }

const named = (view: Element): HTMLElement[] => [...view.querySelectorAll<HTMLElement>("[data-keep]")];
const isField = (element: HTMLElement): element is Field => element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

export function keptOf(view: Element): Kept {
  const kept: Kept = { open: new Map(), values: new Map() };
  for (const element of named(view)) {
    const name = element.dataset.keep!;
    if (element instanceof HTMLDetailsElement) kept.open.set(name, element.open);
    else if (isField(element)) kept.values.set(name, element.value);
  }
  return kept;
}

/** Gives it to the view that has come; what is chosen acts as if it were chosen there. */
export function keepIn(view: Element, { open, values }: Kept): void {
  for (const element of named(view)) {
    const name = element.dataset.keep!;
    if (element instanceof HTMLDetailsElement) element.open = open.get(name) ?? element.open;
    const value = values.get(name);
    if (!isField(element) || value === undefined || value === element.value) continue;
    const before = element.value;
    element.value = value;
    // A choice that is there no more stays as it begins.
    if (element.value === value) element.dispatchEvent(new Event("change"));
    else element.value = before;
  }
}
