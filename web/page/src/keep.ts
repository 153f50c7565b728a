// What stays when a view is made anew: what its user has opened, chosen, scrolled and written there.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The state of an element that is more than a field, a choice, something folded or something that scrolls. */
export interface Keeping<S> {
  /** What its user has done; undefined where that is nothing. */
  take(): S | undefined;
  /** Loads what the state needs before the view is shown: nothing jumps then. */
  prepare?(state: S): Promise<void>;
  /** As the view is shown. */
  give?(state: S): void;
  /** Whether it is text that would have to be typed again. */
  isTyped?(state: S): boolean;
}

/** What one element has; scrolled from the left and from the top. */
interface State { isOpen?: boolean; value?: string; own?: unknown; isTyped?: boolean; scrolled?: [number, number] }

/** The element that has the focus by its name, and what is selected in it. */
interface Focus { name: string; selection?: [number, number, "forward" | "backward" | "none"] }

/** What the elements called `data-keep` have, by their names; the view itself has none. */
export interface Kept { states: Map<string, State>; focus?: Focus }

const keepings = new WeakMap<Element, Keeping<unknown>>();

/** Gives an element a name, and its state a way from one view into the next one. */
export function keeps<S>(element: HTMLElement, name: string, keeping: Keeping<S>): void {
  element.dataset.keep = name;
  keepings.set(element, keeping as Keeping<unknown>);
}

/** Elements by their names; of several with one name the later ones have a number, so that none takes what another one has. */
function named(root: Element): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  const counts = new Map<string, number>();
  for (const element of [root as HTMLElement, ...root.querySelectorAll<HTMLElement>("[data-keep]")]) {
    const name = element.dataset.keep;
    if (name === undefined) continue;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    found.set(count > 1 ? `${name} (${count})` : name, element);
  }
  return found;
}

const isField = (element: Element): element is Field => element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element instanceof HTMLInputElement;

function scrolledOf({ scrollLeft, scrollTop }: Element): State | undefined {
  return scrollLeft || scrollTop ? { scrolled: [scrollLeft, scrollTop] } : undefined;
}

function stateOf(element: HTMLElement): State | undefined {
  const keeping = keepings.get(element);
  if (keeping) {
    const own = keeping.take();
    return own === undefined ? undefined : { own, isTyped: keeping.isTyped?.(own) ?? false };
  }
  if (element instanceof HTMLDetailsElement) return { isOpen: element.open };
  return isField(element) ? { value: element.value } : scrolledOf(element);
}

function focusOf(view: Element): Focus | undefined {
  const element = document.activeElement as HTMLElement | null;
  const name = element?.dataset.path ?? element?.id;
  if (!name || element === view || !view.contains(element)) return undefined;
  const isText = element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.selectionStart !== null);
  return { name, selection: isText ? [element.selectionStart!, element.selectionEnd!, element.selectionDirection ?? "none"] : undefined };
}

export function keptOf(view: HTMLElement): Kept {
  const kept: Kept = { states: new Map(), focus: focusOf(view) };
  const own = scrolledOf(view);
  if (own) kept.states.set("", own);
  for (const [name, element] of named(view)) {
    const state = stateOf(element);
    if (state) kept.states.set(name, state);
  }
  return kept;
}

/** Whether some of it is text that would have to be typed again. */
export function hasTyped({ states }: Kept): boolean {
  return [...states.values()].some(({ isTyped }) => isTyped);
}

/** Loads what the states need; what can't be loaded is not there any more. */
export async function prepareIn(content: Element, { states }: Kept): Promise<void> {
  for (const [name, element] of named(content)) {
    const state = states.get(name);
    if (state?.own !== undefined) await keepings.get(element)?.prepare?.(state.own).catch(() => {});
  }
}

function give(element: HTMLElement, { own, isOpen, value }: State): void {
  const keeping = keepings.get(element);
  if (keeping && own !== undefined) keeping.give?.(own);
  if (element instanceof HTMLDetailsElement) element.open = isOpen ?? element.open;
  if (!isField(element) || value === undefined || value === element.value) return;
  const before = element.value;
  element.value = value;
  // What is chosen acts as if it were chosen here; a choice that is there no more stays as it begins.
  if (element.value === value) element.dispatchEvent(new Event("change"));
  else element.value = before;
}

function scrollTo(element: Element, state: State | undefined): void {
  if (state?.scrolled) [element.scrollLeft, element.scrollTop] = state.scrolled;
}

function refocus(view: Element, focus: Focus | undefined): void {
  if (!focus) return;
  const name = CSS.escape(focus.name);
  const element = view.querySelector<HTMLElement>(`[data-path="${name}"], #${name}`);
  if (!element || element === document.activeElement) return;
  element.focus({ preventScroll: true });
  if (focus.selection && isField(element) && !(element instanceof HTMLSelectElement)) element.setSelectionRange(...focus.selection);
}

/** Puts content in place of what a view holds, with the states that belong to it; which states nothing in it has taken. */
export function replaceKeeping(view: HTMLElement, content: Element, { states, focus }: Kept): Map<string, State> {
  view.replaceChildren(content);
  const elements = named(content);
  for (const [name, element] of elements) {
    const state = states.get(name);
    if (state) give(element, state);
  }
  for (const [name, element] of elements) scrollTo(element, states.get(name));
  refocus(view, focus);
  view.scrollTo(...(states.get("")?.scrolled ?? [0, 0]));
  return new Map([...states].filter(([name]) => name !== "" && !elements.has(name)));
}
