// Meshes, and animations as the bones that they move: drawn by a program of its own, which is loaded when the first one is looked at; what they are made of as text.

import type { Host } from "./details";
import type { Doc } from "./doc";
import { announce, button, grouped, h, onTheme } from "./dom";
import { pathOf } from "./files";
import type { Details } from "./messages";
import type { Events, Finish, Look, View, Viewer } from "./mesh/viewer";
import { meshProgram } from "./parts";
import { ZOOM } from "./viewport";

interface Sent {
  /** Triangles and vertices of each level of detail. */
  lods: [number, number][];
  /** Name, and whether its picture was found. */
  materials: [string, boolean][];
  bones: string[];
  bone_count: number;
  sockets: string[];
  socket_count: number;
  /** Positions that each vertex has. */
  frames: number;
  /** Name, frames, seconds. */
  animations: [string, number, number][];
  notes: string[];
}

const FINISHES: Record<Finish, string> = { textured: "Textured", plain: "Plain", colors: "Colours of vertices" };
/** Names that are listed. */
const LISTED = 200;

const counted = (count: number, one: string, many = `${one}s`): string => `${grouped(count)} ${count === 1 ? one : many}`;

function look(): Look {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return { ground: color("--sunk"), grid: color("--rule"), accent: color("--accent") };
}

/** A length in the unit that fits. */
function length(metres: number): string {
  const [size, unit] = metres < 0.01 ? [metres * 1000, "mm"] : metres < 1 ? [metres * 100, "cm"] : metres < 1000 ? [metres, "m"] : [metres / 1000, "km"];
  return `${Number(size.toPrecision(3)).toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${unit}`;
}

/** Names as text, as far as they fit. */
function listed(names: string[], count: number): string {
  const shown = names.slice(0, LISTED);
  return shown.join(", ") + (count > shown.length ? `, and ${grouped(count - shown.length)} more` : "");
}

/** What the mesh is made of. */
function factsOf(sent: Sent, square: number | undefined): HTMLElement {
  const list = h("dl", { class: "facts compact" });
  const fact = (label: string, text: string): void => list.append(h("dt", {}, label), h("dd", {}, text));
  sent.lods.forEach(([triangles, vertices], level) => fact(sent.lods.length > 1 ? `Level of detail ${level}` : "Mesh", `${counted(triangles, "triangle")}, ${counted(vertices, "vertex", "vertices")}`));
  if (sent.bone_count) fact("Bones", counted(sent.bone_count, "bone"));
  if (sent.frames) fact("Frames", `${counted(sent.frames, "frame")} of all vertices`);
  fact("Animations", sent.animations.length ? counted(sent.animations.length, "animation") : "none in this object");
  const found = sent.materials.filter(([, picture]) => picture).length;
  if (sent.materials.length) fact("Materials", `${counted(sent.materials.length, "material")}, ${found === 0 ? "no picture found here" : found === sent.materials.length ? "pictures of all found" : `pictures of ${grouped(found)} found`}`);
  if (square) fact("Ground", `a square is ${length(square)} wide`);
  const names = (title: string, text: string): Node => h("details", { "data-keep": title.replace(/:.*/, "") }, h("summary", { "data-path": title.replace(/:.*/, "") }, title), h("p", {}, text));
  return h("div", { class: "mesh-facts", "data-keep": "mesh facts", tabindex: "0", role: "region", "aria-label": "What it is made of", id: "mesh-facts" }, list,
    ...sent.notes.map((note) => h("p", { class: "muted" }, note)),
    sent.materials.length ? names("Names of materials", listed(sent.materials.map(([name, picture]) => (picture ? name : `${name} (no picture here)`)), sent.materials.length)) : null,
    sent.bone_count ? names("Names of bones", listed(sent.bones, sent.bone_count)) : null,
    sent.socket_count ? names(`Sockets: ${grouped(sent.socket_count)}`, listed(sent.sockets, sent.socket_count)) : null);
}

/** The animations: chosen, played, gone through by a slider. */
class Player {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "Time", id: "mesh-time", oninput: () => this.slide() });
  private readonly said = h("output", { class: "muted", for: "mesh-time", "aria-live": "off" });
  private readonly button = button("Play", () => this.start(), { id: "mesh-play" });
  private readonly chooser: HTMLSelectElement;
  private isPlaying = false;

  constructor(private readonly viewer: Viewer, private readonly sent: Sent["animations"]) {
    const { animations } = viewer;
    this.chooser = h("select", { "aria-label": "Animation", id: "mesh-animation", onchange: () => this.choose() },
      h("option", { value: "" }, "At rest"), ...animations.map(({ name }, at) => h("option", { value: String(at) }, name)));
    this.element = h("div", { class: "mesh-player", hidden: animations.length === 0 }, this.chooser, this.button, this.slider, this.said);
    this.choose();
  }

  private choose(): void {
    const animation = this.viewer.animations[Number(this.chooser.value)];
    const chosen = this.chooser.value === "" ? undefined : animation;
    const moves = (chosen?.seconds ?? 0) > 0;
    this.viewer.choose(chosen);
    this.slider.disabled = !moves;
    this.button.disabled = !moves && (chosen !== undefined || this.moving() < 0);
    this.slider.max = String(moves ? chosen!.seconds : 1);
    if (!moves) this.play(false);
    this.show(0);
  }

  /** The first animation that takes time. */
  private moving(): number {
    return this.viewer.animations.findIndex(({ seconds }) => seconds > 0);
  }

  /** Plays what is chosen, or the first one; pauses. */
  private start(): void {
    if (this.chooser.value === "") {
      this.chooser.value = String(this.moving());
      this.choose();
    }
    this.play(!this.isPlaying);
  }

  private play(plays: boolean): void {
    this.isPlaying = plays;
    this.button.textContent = plays ? "Pause" : "Play";
    this.viewer.play(plays);
  }

  private slide(): void {
    this.play(false);
    this.viewer.seek(this.slider.valueAsNumber);
    this.show(this.slider.valueAsNumber);
  }

  /** The animation and the moment of before. */
  resume({ animation, time, isPlaying }: View): void {
    if (animation === undefined || animation >= this.viewer.animations.length) return;
    this.chooser.value = String(animation);
    this.choose();
    const within = Math.min(time, this.viewer.animations[animation].seconds);
    this.viewer.seek(within);
    this.show(within);
    if (isPlaying && within > 0) this.play(true);
  }

  /** The first animation, which is all that there is to be seen. */
  begin(plays: boolean): void {
    this.chooser.value = "0";
    this.choose();
    if (plays && this.viewer.animations[0].seconds > 0) this.play(true);
  }

  show(time: number): void {
    this.slider.value = String(time);
    if (this.chooser.value === "") {
      this.said.textContent = "";
      return;
    }
    const row = Number(this.chooser.value);
    const { name, seconds } = this.viewer.animations[row];
    // Several may have one name: the row counts, where it has that name.
    const frames = (this.sent[row]?.[0] === name ? this.sent[row] : this.sent.find(([one]) => one === name))?.[1] ?? 0;
    const frame = seconds > 0 ? Math.min(frames, Math.floor((time / seconds) * (frames - 1) + 1e-6) + 1) : 1;
    this.said.textContent = `${time.toFixed(2)} of ${seconds.toFixed(2)} s, frame ${grouped(frame)} of ${grouped(frames)}`;
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
  }
}

function check(label: string, id: string, change: (isOn: boolean) => void, isOn = false): [HTMLElement, HTMLInputElement] {
  const box = h("input", { type: "checkbox", id, checked: isOn, onchange: () => change(box.checked) });
  return [h("label", { class: "check" }, box, label), box];
}

/** The mesh that is shown, and how each was looked at last, by package and object. */
let shown: { doc: Doc; key: string; viewer: Viewer } | undefined;
const views = new WeakMap<Doc, Map<string, View>>();
/** How many were asked for: only the last one is drawn. */
let asked = 0;

function keepView(): void {
  if (!shown) return;
  const { doc, key, viewer } = shown;
  views.set(doc, (views.get(doc) ?? new Map<string, View>()).set(key, viewer.view));
}

export async function meshTab(host: Host, details: Details): Promise<HTMLElement> {
  const number = ++asked;
  const isWanted = (): boolean => number === asked;
  keepView();
  const doc = host.doc();
  const files = host.filesAtHand();
  const [{ value: sent, bytes }, program] = await Promise.all([
    doc.ask<Sent>("mesh", { row: details.row, paths: files.map(pathOf) }, files),
    // What it is made of can be said without it.
    meshProgram().catch((error: unknown) => error as Error),
  ]);
  const without = (reason: string): HTMLElement => h("div", { class: "map" }, h("p", { class: "note" }, reason), factsOf(sent, undefined));
  if (program instanceof Error) return without(`It can't be drawn: ${program.message}.`);
  const ground = h("div", { class: "map-ground" });
  let player: Player | undefined;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [turn, turning] = check("Turn", "mesh-turn", (turns) => viewer?.setTurning(turns));
  const events: Events = {
    moved: (time) => player?.show(time),
    turning: (turns) => { turning.checked = turns; },
    lost: () => ground.replaceChildren(h("p", { class: "note", role: "alert" }, "The browser has taken the drawing away. Open the tab once more.")),
  };
  if (!isWanted()) return ground;
  const viewer = await program.draw(bytes!, look(), events, isWanted);
  if (!isWanted()) return ground;
  if (!viewer) return without("It can't be drawn: this browser has no WebGL 2, or it is turned off.");
  if (!viewer.isDrawable) {
    viewer.dispose();
    return without("It can't be drawn: its vertices lie at places that are beyond numbers.");
  }
  shown = { doc, key: details.key, viewer };
  const kept = views.get(doc)?.get(details.key);
  const { canvas } = viewer;
  for (const [name, value] of Object.entries({ id: "mesh", class: "map-canvas", tabindex: "0", role: "application", "aria-label": `${sent.lods.length ? "Mesh" : "Bones of"} ${details.title}; arrow keys turn it, with Shift they move it, plus and minus zoom, Home shows all of it. What it is made of is said below.` })) canvas.setAttribute(name, value);
  ground.replaceChildren(canvas);
  onTheme(ground, () => viewer.restyle(look()));
  player = new Player(viewer, sent.animations);
  const levels = h("select", { "aria-label": "Level of detail", id: "mesh-level", hidden: sent.lods.length < 2, onchange: () => {
    viewer.setLevel(Number(levels.value));
    announce(counted(sent.lods[Number(levels.value)][0], "triangle"));
  } }, ...sent.lods.map(([triangles], level) => h("option", { value: String(level) }, `Level ${level}: ${counted(triangles, "triangle")}`)));
  const finishes = (Object.keys(FINISHES) as Finish[]).filter((finish) => (finish === "colors" ? viewer.hasColors : finish === "plain" || sent.materials.some(([, picture]) => picture)));
  const finish = h("select", { "aria-label": "Surface", id: "mesh-finish", hidden: finishes.length < 2, onchange: () => viewer.setFinish(finish.value as Finish) }, ...finishes.map((one) => h("option", { value: one }, FINISHES[one])));
  const [wire, wired] = check("Wireframe", "mesh-wire", (isOn) => viewer.setWire(isOn));
  const hasBones = sent.bone_count > 1;
  const [bones, boned] = check("Skeleton", "mesh-bones", (isOn) => viewer.setBones(isOn), viewer.leadsWithBones);
  if (kept) {
    const level = Math.min(kept.level, Math.max(sent.lods.length - 1, 0));
    levels.value = String(level);
    viewer.setLevel(level);
    if (finishes.includes(kept.finish)) {
      finish.value = kept.finish;
      viewer.setFinish(kept.finish);
    }
    wired.checked = kept.isWire;
    viewer.setWire(kept.isWire);
    boned.checked = kept.hasBones;
    viewer.setBones(kept.hasBones);
    viewer.lookFrom(kept.camera);
    player.resume(kept);
  } else if (sent.lods.length === 0 && viewer.animations.length > 0) {
    player.begin(!isCalm);
  }
  // Bones that move are seen well enough from one side.
  viewer.setTurning(kept ? kept.turns : !isCalm && sent.lods.length > 0);
  return h("div", { class: "map" },
    h("div", { class: "pane-head" }, levels, finish, sent.lods.length ? wire : null, hasBones ? bones : null, turn, h("span", { class: "spacer" }),
      button("\u2212", () => viewer.zoom(1 / ZOOM), { class: "quiet", "aria-label": "Farther" }), button("+", () => viewer.zoom(ZOOM), { class: "quiet", "aria-label": "Nearer" }), button("Whole", () => viewer.whole(), { class: "quiet" })),
    ground, player.element, factsOf(sent, viewer.square));
}
