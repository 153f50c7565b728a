// Draws a mesh. This is a program of its own, which the page loads when the first mesh is looked at.

import {
  AnimationMixer, Box3, Color, DirectionalLight, DoubleSide, FrontSide, GridHelper, HemisphereLight, LineBasicMaterial, LoopRepeat, MeshLambertMaterial, PerspectiveCamera, RepeatWrapping, Scene,
  SRGBColorSpace, SkeletonHelper, SkinnedMesh, Sphere, Texture, Vector3, WebGLRenderer,
} from "three";
import type { AnimationAction, BufferGeometry, Material } from "three";
import { moveVertices, readModel } from "./glb";
import type { Animation, Level, Model, Surface } from "./glb";
import { Turntable } from "./turntable";

export type { Animation } from "./glb";

/** Pixels of a picture's side. */
const LARGEST_PICTURE = 4_096;
/** Texels of all pictures of a mesh together. */
const MOST_TEXELS = 64 << 20;
/** Vertices by which the size of a mesh is measured. */
const MEASURED = 20_000;
/** Moments at which it is measured where an animation leads. */
const MOMENTS = 6;
/** How far from the middle an animation leads before the camera follows it, in halves of the mesh at rest. */
const AWAY = 1.6;
/** The share of its area that a mesh faces one way with from which on it is a sheet: a closed one faces all ways alike. */
const SHEET = 0.5;
const VIEW = Math.PI / 5;
/** Seconds of one turn, after which it stops by itself. */
const TURN = 24;

export type Finish = "textured" | "plain" | "colors";

/** Colours of the page. */
export interface Look { ground: string; grid: string; accent: string }

/** How a mesh is looked at: kept while its package changes. */
export interface View {
  level: number;
  finish: Finish;
  isWire: boolean;
  hasBones: boolean;
  turns: boolean;
  camera: { yaw: number; pitch: number; distance: number; middle: [number, number] };
  /** The row of the animation, where one is chosen. */
  animation: number | undefined;
  time: number;
  isPlaying: boolean;
}

/** What the page is asked to show of the drawing. */
export interface Events {
  /** The moment that is shown, while an animation plays. */
  moved(time: number): void;
  /** It turns by itself, or has stopped. */
  turning(turns: boolean): void;
  /** The browser has taken the drawing away. */
  lost(): void;
}

/** One for all meshes: browsers give a page few of them. */
let shared: WebGLRenderer | undefined;
let current: Viewer | undefined;

function renderer(): WebGLRenderer | undefined {
  if (shared && !shared.getContext().isContextLost()) return shared;
  shared?.dispose();
  shared = undefined;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false });
  if (!context) return undefined;
  shared = new WebGLRenderer({ canvas, context });
  return shared;
}

/** Width and height as a PNG says them. */
function sizeOf(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return png.length < 24 ? [0, 0] : [view.getUint32(16), view.getUint32(20)];
}

/** The pictures of a mesh as textures; those that are too much are left out. */
async function texturesOf(surfaces: Surface[], largest: number): Promise<(Texture | undefined)[]> {
  let left = MOST_TEXELS;
  const made: (Texture | undefined)[] = [];
  for (const { picture } of surfaces) {
    const [wide, high] = picture ? sizeOf(picture) : [0, 0];
    const most = Math.min(largest, LARGEST_PICTURE);
    const by = Math.min(1, most / Math.max(wide, high, 1));
    const [width, height] = [Math.max(1, Math.floor(wide * by)), Math.max(1, Math.floor(high * by))];
    if (!picture || wide === 0 || high === 0 || width * height > left) {
      made.push(undefined);
      continue;
    }
    left -= width * height;
    try {
      // What is transparent keeps its colour: alpha often means something else.
      const options: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none", ...(by < 1 ? { resizeWidth: width, resizeHeight: height } : {}) };
      const texture = new Texture(await createImageBitmap(new Blob([picture], { type: "image/png" }), options));
      texture.flipY = false;
      texture.colorSpace = SRGBColorSpace;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      texture.anisotropy = 4;
      texture.needsUpdate = true;
      made.push(texture);
    } catch {
      made.push(undefined);
    }
  }
  return made;
}

/** The share of its area that a mesh faces one way with: from 0, where it is closed, to 1, where it is flat. */
function facing(geometry: BufferGeometry): number {
  const positions = geometry.getAttribute("position");
  const index = geometry.getIndex();
  const [a, b, c, sum] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  let area = 0;
  const count = index?.count ?? positions.count;
  for (let at = 0; at + 2 < count; at += 3) {
    [a, b, c].forEach((corner, place) => corner.fromBufferAttribute(positions, index ? index.getX(at + place) : at + place));
    b.sub(a).cross(c.sub(a));
    const part = b.length();
    if (!Number.isFinite(part)) continue;
    area += part;
    sum.add(b);
  }
  return area > 0 ? sum.length() / area : 0;
}

export class Viewer {
  readonly canvas: HTMLCanvasElement;
  readonly animations: Animation[];
  /** Whether vertices have colours. */
  readonly hasColors: boolean;
  /** Whether bones are shown from the start: there is no mesh, or next to none. */
  leadsWithBones = false;
  /** Whether its places are numbers that can be drawn. */
  readonly isDrawable: boolean;
  /** How long a square of the ground is, metres. */
  readonly square: number;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera((VIEW * 180) / Math.PI, 1, 0.005, 200);
  private readonly sky = new HemisphereLight(0xffffff, 0x777777, 1.5);
  private readonly sun = new DirectionalLight(0xffffff, 2);
  private readonly table: Turntable;
  private readonly mixer: AnimationMixer;
  private readonly bones: SkeletonHelper | undefined;
  private readonly levels: Level[];
  private readonly finishes = new Map<Finish, Material[]>();
  private readonly size: number;
  private readonly floor: number;
  private readonly abort = new AbortController();
  private readonly sizes = new ResizeObserver(() => this.resize());
  /** What the camera stands around, and how much larger that is than the mesh at rest. */
  private stage = { middle: new Vector3(), reach: 1 };
  private grid: GridHelper | undefined;
  private level = 0;
  private finish: Finish = "textured";
  private isWire = false;
  private action: AnimationAction | undefined;
  private animation: Animation | undefined;
  private time = 0;
  private isPlaying = false;
  private turned: number | undefined;
  private before = 0;
  private frame = 0;

  private constructor(private readonly gl: WebGLRenderer, private readonly model: Model, textures: (Texture | undefined)[], look: Look, private readonly events: Events) {
    this.canvas = gl.domElement;
    this.levels = model.levels;
    this.animations = model.animations;
    this.hasColors = model.levels.some(({ mesh }) => mesh.geometry.hasAttribute("color"));
    this.makeFinishes(textures);
    const box = this.measure();
    this.isDrawable = !box.isEmpty() && Number.isFinite(box.getSize(new Vector3()).length());
    if (!this.isDrawable) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const center = box.getCenter(new Vector3());
    this.size = box.getSize(new Vector3()).length() / 2 || 1;
    // Numbers of any size are drawn: what the camera sees has the radius 1.
    model.root.scale.setScalar(1 / this.size);
    model.root.position.copy(center).multiplyScalar(-1 / this.size);
    // A little below, so that a floor of the mesh hides it.
    this.floor = (box.min.y - center.y) / this.size - 0.004;
    this.square = 10 ** Math.floor(Math.log10(this.size));
    this.scene.add(model.root, this.sky, this.camera);
    this.camera.add(this.sun);
    this.sun.position.set(-0.6, 0.8, 1);
    this.scene.add(this.sun.target);
    if (model.bones.length > 0) {
      this.bones = new SkeletonHelper(model.root);
      const material = this.bones.material as LineBasicMaterial;
      Object.assign(material, { depthTest: false, transparent: true });
      this.bones.visible = this.leadsWithBones;
      this.scene.add(this.bones);
    }
    this.mixer = new AnimationMixer(model.root);
    this.table = new Turntable(this.canvas, this.abort.signal, { yaw: 0.75, pitch: 0.3 }, () => {
      this.setTurning(false);
      this.later();
    });
    this.dress();
    this.restyle(look);
    this.sizes.observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      events.lost();
      this.dispose();
    }, { signal: this.abort.signal });
  }

  /** Draws a file; nothing where the browser has no WebGL, or where another mesh was asked for meanwhile. */
  static async of(file: ArrayBuffer, look: Look, events: Events, isWanted: () => boolean): Promise<Viewer | undefined> {
    const gl = renderer();
    if (!gl) return undefined;
    const model = readModel(file);
    const textures = await texturesOf(model.surfaces, gl.capabilities.maxTextureSize);
    if (!isWanted()) {
      for (const texture of textures) (texture?.image as ImageBitmap | undefined)?.close();
      return undefined;
    }
    current?.dispose();
    return (current = new Viewer(gl, model, textures, look, events));
  }

  private makeFinishes(textures: (Texture | undefined)[]): void {
    // From behind nothing would be seen of a sheet.
    const isSheet = this.model.levels[0] !== undefined && facing(this.model.levels[0].mesh.geometry) > SHEET;
    const made = (of: (surface: Surface, at: number) => MeshLambertMaterial): Material[] => this.model.surfaces.map((surface, at) => {
      const material = of(surface, at);
      material.side = surface.twoSided || isSheet ? DoubleSide : FrontSide;
      return material;
    });
    this.finishes.set("plain", made(() => new MeshLambertMaterial({ color: 0xb9b6ae })));
    this.finishes.set("textured", made(({ masked }, at) => {
      const map = textures[at];
      return map ? new MeshLambertMaterial({ map, alphaTest: masked ? 0.5 : 0 }) : new MeshLambertMaterial({ color: 0xb9b6ae });
    }));
    if (this.hasColors) this.finishes.set("colors", made(() => new MeshLambertMaterial({ vertexColors: true })));
  }

  /** What the vertices of the finest level, and the bones, take up. */
  private measure(): Box3 {
    const box = new Box3();
    const point = new Vector3();
    this.model.root.updateMatrixWorld(true);
    const mesh = this.levels[0]?.mesh;
    if (mesh) {
      const positions = mesh.geometry.getAttribute("position");
      const step = Math.max(1, Math.floor(positions.count / MEASURED));
      if (mesh instanceof SkinnedMesh) mesh.skeleton.update();
      for (let at = 0; at < positions.count; at += step) {
        point.fromBufferAttribute(positions, at);
        if (mesh instanceof SkinnedMesh) mesh.applyBoneTransform(at, point);
        point.applyMatrix4(mesh.matrixWorld);
        if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
      }
    }
    const skeleton = new Box3();
    for (const bone of this.model.bones) {
      bone.getWorldPosition(point);
      if (Number.isFinite(point.x + point.y + point.z)) skeleton.expandByPoint(point);
    }
    const span = (one: Box3): number => (one.isEmpty() ? 0 : one.getSize(point).length());
    // A mesh that only carries bones, such as one that is not to be seen, is small beside them.
    this.leadsWithBones = span(skeleton) > 20 * span(box);
    if (this.leadsWithBones) box.union(skeleton);
    return box;
  }

  /** Level and materials as they are chosen. */
  private dress(): void {
    const materials = this.finishes.get(this.finish) ?? this.finishes.get("plain")!;
    for (const material of materials) (material as MeshLambertMaterial).wireframe = this.isWire;
    this.levels.forEach(({ mesh }, at) => {
      mesh.visible = at === this.level;
      mesh.material = materials;
    });
    this.move();
  }

  setLevel(level: number): void {
    this.level = level;
    this.dress();
  }

  setFinish(finish: Finish): void {
    this.finish = finish;
    this.dress();
  }

  setWire(isWire: boolean): void {
    this.isWire = isWire;
    this.dress();
  }

  setBones(areShown: boolean): void {
    if (this.bones) this.bones.visible = areShown;
    this.later();
  }

  /** Turns by itself, once around. */
  setTurning(turns: boolean): void {
    if (turns === (this.turned !== undefined)) return;
    this.turned = turns ? 0 : undefined;
    this.before = 0;
    this.events.turning(turns);
    this.later();
  }

  /** Shows an animation at its start; none shows the mesh at rest. */
  choose(animation: Animation | undefined): void {
    this.mixer.stopAllAction();
    this.animation = animation;
    this.action = animation?.clip && this.mixer.clipAction(animation.clip);
    this.action?.setLoop(LoopRepeat, Infinity).play();
    this.follow();
    this.seek(0);
  }

  /** Has the camera stand around what an animation takes up, where that leaves what is seen of the mesh at rest. */
  private follow(): void {
    this.stage = { middle: new Vector3(), reach: 1 };
    const seconds = this.animation?.seconds ?? 0;
    const box = new Box3();
    for (let moment = 0; seconds > 0 && moment < MOMENTS; moment++) {
      this.seek((seconds * moment) / MOMENTS);
      box.union(this.measure());
    }
    const { center, radius } = box.getBoundingSphere(new Sphere());
    if (!box.isEmpty() && center.length() + radius > AWAY) this.stage = { middle: center, reach: Math.max(1, radius) };
  }

  play(plays: boolean): void {
    this.isPlaying = plays;
    this.before = 0;
    this.later();
  }

  seek(time: number): void {
    this.time = time;
    this.move();
  }

  private move(): void {
    const { animation, levels } = this;
    if (levels[this.level]) moveVertices(levels[this.level], animation?.weights[this.level], this.time);
    // The mixer takes the end of what repeats for its start.
    if (this.action) this.action.time = Math.min(this.time, (animation?.seconds ?? 0) * (1 - 1e-6));
    this.mixer.update(0);
    this.later();
  }

  get view(): View {
    const { yaw, pitch, distance, middle } = this.table;
    const row = this.animation ? this.animations.indexOf(this.animation) : -1;
    return {
      level: this.level, finish: this.finish, isWire: this.isWire, hasBones: this.bones?.visible ?? false, turns: this.turned !== undefined,
      camera: { yaw, pitch, distance, middle }, animation: row < 0 ? undefined : row, time: this.time, isPlaying: this.isPlaying,
    };
  }

  /** Looks from where one has looked before. */
  lookFrom(camera: View["camera"]): void {
    Object.assign(this.table, camera);
    this.later();
  }

  zoom(by: number): void {
    this.table.zoom(by);
  }

  whole(): void {
    this.table.reset();
    this.later();
  }

  restyle(look: Look): void {
    this.scene.background = new Color(look.ground);
    const cells = 12;
    const was = this.grid;
    this.grid = new GridHelper((cells * this.square) / this.size, cells, look.grid, look.grid);
    this.grid.position.y = this.floor;
    if (was) {
      this.scene.remove(was);
      was.dispose();
    }
    this.scene.add(this.grid);
    const bone = new Color(look.accent);
    this.bones?.setColors(bone, bone);
    this.later();
  }

  private resize(): void {
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (!this.canvas.isConnected) return this.dispose();
    if (wide === 0 || high === 0) return;
    this.gl.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.gl.setSize(wide, high, false);
    this.camera.aspect = wide / high;
    this.draw(performance.now());
  }

  private later(): void {
    if (!this.frame && !this.abort.signal.aborted) this.frame = requestAnimationFrame((now) => { this.frame = 0; this.draw(now); });
  }

  private draw(now: number): void {
    if (this.abort.signal.aborted || !this.canvas.isConnected || this.canvas.clientWidth === 0) return;
    // After a pause it goes on where it was.
    const passed = this.before ? Math.min((now - this.before) / 1000, 0.25) : 0;
    this.before = now;
    if (this.turned !== undefined) {
      this.turned += passed;
      this.table.yaw += (passed * 2 * Math.PI) / TURN;
      if (this.turned >= TURN) this.setTurning(false);
    }
    if (this.isPlaying && this.animation && this.animation.seconds > 0) {
      this.seek((this.time + passed) % this.animation.seconds);
      this.events.moved(this.time);
    }
    const { table, camera } = this;
    const narrow = Math.min(1, camera.aspect);
    const away = (table.distance * 1.05 * this.stage.reach) / Math.sin(VIEW / 2) / narrow;
    const [right, up] = table.middle;
    const [yaw, pitch] = [table.yaw, table.pitch];
    const across = new Vector3(Math.cos(yaw), 0, -Math.sin(yaw));
    const back = new Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    const above = new Vector3().crossVectors(back, across);
    const middle = across.multiplyScalar(right).addScaledVector(above, up).multiplyScalar(this.stage.reach).add(this.stage.middle);
    camera.position.copy(middle).addScaledVector(back, away);
    camera.lookAt(middle);
    camera.near = Math.max(0.002, away - 20);
    camera.far = away + 20;
    camera.updateProjectionMatrix();
    this.gl.render(this.scene, camera);
    const { triangles, lines } = this.gl.info.render;
    Object.assign(this.canvas.dataset, { view: `${yaw.toFixed(3)} ${pitch.toFixed(3)} ${table.distance.toFixed(3)}`, drawn: `${triangles} ${lines}`, time: this.time.toFixed(3) });
    if (this.turned !== undefined || (this.isPlaying && this.animation)) this.later();
  }

  /** Gives its memory back. */
  dispose(): void {
    if (this.abort.signal.aborted) return;
    this.abort.abort();
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    if (current === this) current = undefined;
    for (const { mesh } of this.levels) {
      mesh.geometry.dispose();
      if (mesh instanceof SkinnedMesh) mesh.skeleton.dispose();
    }
    for (const materials of this.finishes.values()) for (const material of materials) {
      const { map } = material as MeshLambertMaterial;
      if (map) (map.image as ImageBitmap).close();
      map?.dispose();
      material.dispose();
    }
    this.grid?.dispose();
    this.bones?.dispose();
    this.gl.info.reset();
  }
}

export const draw = Viewer.of;
