// Making elements.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element: `on…` are listeners, `class`, `aria-…`, `data-…` and what is not known are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props?: Props | null, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name in element && !name.includes("-") && name !== "role" && name !== "list") {
      (element as unknown as Props)[name] = value;
    } else {
      element.setAttribute(name === "class" ? "class" : name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button with a word on it. */
export function button(text: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...props }, text);
}

/** A number with its thousands apart. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** A position as people of the field write it. */
export function hex(number: number, digits = 1): string {
  return "0x" + number.toString(16).padStart(digits, "0");
}

/** Calls a function once, when nothing more has happened for a while. */
export function settled<A extends unknown[]>(wait: number, then: (...args: A) => void): (...args: A) => void {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => then(...args), wait);
  };
}

/** Says something to those who can't see it. */
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

/** Drawings that follow the theme. */
const themed = new Set<{ element: Element; draw: () => void; wasShown: boolean }>();
let themes: MutationObserver | undefined;

/** Draws anew when the theme changes, as long as the element is on the page: those that have left it are let go. */
export function onTheme(element: Element, draw: () => void): void {
  for (const one of themed) {
    if (one.wasShown && !one.element.isConnected) themed.delete(one);
    one.wasShown ||= one.element.isConnected;
  }
  themed.add({ element, draw, wasShown: false });
  if (themes) return;
  const drawAll = (): void => { for (const { draw } of themed) draw(); };
  themes = new MutationObserver(drawAll);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  // The system's theme counts as long as none is chosen on the page.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
}
