// A binary glTF file as the module writes it, made into what three draws. A level of detail is one geometry with a group
// for each material.

import {
  AnimationClip, Bone, BufferAttribute, BufferGeometry, Group, Matrix4, Mesh, Object3D, QuaternionKeyframeTrack, Skeleton, SkinnedMesh, VectorKeyframeTrack,
} from "three";
import type { KeyframeTrack, TypedArray } from "three";

interface Accessor { bufferView: number; byteOffset?: number; componentType: number; count: number; type: string; normalized?: boolean }
interface Primitive { attributes: Record<string, number>; indices: number; material?: number; targets?: { POSITION: number }[] }
interface GltfNode { name?: string; mesh?: number; skin?: number; children?: number[]; translation?: [number, number, number]; rotation?: [number, number, number, number]; scale?: [number, number, number] }
interface Material { name?: string; alphaMode?: string; doubleSided?: boolean; pbrMetallicRoughness?: { baseColorTexture?: { index: number } } }
interface Channel { sampler: number; target: { node: number; path: "translation" | "rotation" | "scale" | "weights" } }
interface Gltf {
  accessors?: Accessor[];
  bufferViews?: { byteOffset?: number; byteLength: number }[];
  nodes?: GltfNode[];
  meshes?: { name?: string; primitives: Primitive[] }[];
  skins?: { joints: number[]; inverseBindMatrices: number }[];
  materials?: Material[];
  textures?: { source: number }[];
  images?: { bufferView: number }[];
  animations?: { name?: string; channels: Channel[]; samplers: { input: number; output: number }[] }[];
  scenes?: { nodes: number[] }[];
}

/** A material, and the PNG of its base colour. */
export interface Surface { name: string; picture: Uint8Array<ArrayBuffer> | undefined; masked: boolean; twoSided: boolean }

/** A level of detail, and the other positions of its vertices. */
export interface Level { mesh: Mesh; moves: Moves | undefined }

/** Positions of vertices over time. */
export interface Moves { base: Float32Array; deltas: Float32Array[] }

/** How much of which positions counts, at times that rise. */
export interface Weights { times: Float32Array; rows: [number, number][][] }

export interface Animation {
  name: string;
  seconds: number;
  /** Of bones. */
  clip: AnimationClip | undefined;
  /** Of the vertices of each level. */
  weights: (Weights | undefined)[];
}

export interface Model { root: Group; levels: Level[]; surfaces: Surface[]; bones: Bone[]; animations: Animation[] }

const NUMBERS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

class Reader {
  readonly gltf: Gltf;
  private readonly start: number;

  constructor(private readonly file: ArrayBuffer) {
    const view = new DataView(file);
    if (view.getUint32(0, true) !== 0x46546c67) throw new Error("it is no binary glTF file");
    const length = view.getUint32(12, true);
    this.gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, length))) as Gltf;
    this.start = 28 + length;
  }

  bytes(view: number): Uint8Array<ArrayBuffer> {
    const { byteOffset = 0, byteLength } = this.gltf.bufferViews![view];
    return new Uint8Array(this.file, this.start + byteOffset, byteLength);
  }

  /** The numbers of an accessor where they are; every one is aligned. */
  numbers(accessor: number): TypedArray {
    const { bufferView, byteOffset = 0, componentType, count, type } = this.gltf.accessors![accessor];
    const at = this.start + (this.gltf.bufferViews![bufferView].byteOffset ?? 0) + byteOffset;
    const length = count * NUMBERS[type];
    switch (componentType) {
      case 5121: return new Uint8Array(this.file, at, length);
      case 5123: return new Uint16Array(this.file, at, length);
      case 5125: return new Uint32Array(this.file, at, length);
      case 5126: return new Float32Array(this.file, at, length);
      default: throw new Error(`numbers of type ${componentType} are not read`);
    }
  }

  floats(accessor: number): Float32Array {
    return this.numbers(accessor) as Float32Array;
  }

  attribute(accessor: number): BufferAttribute {
    const { type, normalized } = this.gltf.accessors![accessor];
    return new BufferAttribute(this.numbers(accessor), NUMBERS[type], normalized);
  }
}

const ATTRIBUTES: Record<string, string> = { POSITION: "position", NORMAL: "normal", TEXCOORD_0: "uv", COLOR_0: "color", JOINTS_0: "skinIndex", WEIGHTS_0: "skinWeight" };

function geometryOf(reader: Reader, primitives: Primitive[], plain: number): { geometry: BufferGeometry; moves: Moves | undefined } {
  const geometry = new BufferGeometry();
  for (const [name, accessor] of Object.entries(primitives[0].attributes)) {
    if (name in ATTRIBUTES) geometry.setAttribute(ATTRIBUTES[name], reader.attribute(accessor));
  }
  const parts = primitives.map(({ indices }) => reader.numbers(indices));
  const index = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let from = 0;
  parts.forEach((part, at) => {
    index.set(part, from);
    geometry.addGroup(from, part.length, primitives[at].material ?? plain);
    from += part.length;
  });
  geometry.setIndex(new BufferAttribute(index, 1));
  const targets = primitives[0].targets ?? [];
  if (targets.length === 0) return { geometry, moves: undefined };
  const base = reader.floats(primitives[0].attributes.POSITION).slice();
  // What is moved needs a copy of its own: the file keeps the base.
  geometry.setAttribute("position", new BufferAttribute(base.slice(), 3));
  return { geometry, moves: { base, deltas: targets.map(({ POSITION }) => reader.floats(POSITION)) } };
}

function weightsOf(times: Float32Array, all: Float32Array): Weights {
  const count = times.length ? all.length / times.length : 0;
  const rows = Array.from(times, (_, row) => {
    const some: [number, number][] = [];
    for (let at = 0; at < count; at++) if (all[row * count + at] !== 0) some.push([at, all[row * count + at]]);
    return some;
  });
  return { times, rows };
}

export function readModel(file: ArrayBuffer): Model {
  const reader = new Reader(file);
  const { gltf } = reader;
  const nodes = gltf.nodes ?? [];
  const joints = new Set((gltf.skins ?? []).flatMap((skin) => skin.joints));
  const surfaces = (gltf.materials ?? []).map((material): Surface => {
    const texture = material.pbrMetallicRoughness?.baseColorTexture?.index;
    const image = texture === undefined ? undefined : gltf.images![gltf.textures![texture].source];
    return { name: material.name ?? "", picture: image && reader.bytes(image.bufferView), masked: material.alphaMode === "MASK", twoSided: material.doubleSided ?? false };
  });
  // Triangles without a material have the one behind the last.
  const plain = surfaces.push({ name: "", picture: undefined, masked: false, twoSided: false }) - 1;
  const levels: Level[] = [];
  const levelOf = new Map<number, number>();
  const objects = nodes.map((node, at): Object3D => {
    let object: Object3D = joints.has(at) ? new Bone() : new Object3D();
    if (node.mesh !== undefined) {
      const { geometry, moves } = geometryOf(reader, gltf.meshes![node.mesh].primitives, plain);
      const mesh = node.skin === undefined ? new Mesh(geometry) : new SkinnedMesh(geometry);
      mesh.frustumCulled = false;
      levelOf.set(at, levels.push({ mesh, moves }) - 1);
      object = mesh;
    }
    object.name = node.name ?? "";
    if (node.translation) object.position.fromArray(node.translation);
    if (node.rotation) object.quaternion.fromArray(node.rotation);
    if (node.scale) object.scale.fromArray(node.scale);
    return object;
  });
  nodes.forEach((node, at) => { for (const child of node.children ?? []) objects[at].add(objects[child]); });
  const root = new Group();
  for (const node of gltf.scenes?.[0]?.nodes ?? []) root.add(objects[node]);
  root.updateMatrixWorld(true);
  nodes.forEach((node, at) => {
    const mesh = objects[at];
    if (node.skin === undefined || !(mesh instanceof SkinnedMesh)) return;
    const skin = gltf.skins![node.skin];
    const inverses = reader.floats(skin.inverseBindMatrices);
    // Four bones a vertex are drawn: the strongest, which come first.
    mesh.normalizeSkinWeights();
    mesh.bind(new Skeleton(skin.joints.map((joint) => objects[joint] as Bone), skin.joints.map((_, joint) => new Matrix4().fromArray(inverses, joint * 16))), new Matrix4());
  });
  const animations = (gltf.animations ?? []).map((animation, at): Animation => {
    const tracks: KeyframeTrack[] = [];
    const weights: (Weights | undefined)[] = levels.map(() => undefined);
    let seconds = 0;
    for (const { sampler, target } of animation.channels) {
      const { input, output } = animation.samplers[sampler];
      const [times, values] = [reader.floats(input), reader.floats(output)];
      seconds = Math.max(seconds, times.at(-1) ?? 0);
      const { uuid } = objects[target.node];
      if (target.path === "weights") weights[levelOf.get(target.node)!] = weightsOf(times, values);
      else if (target.path === "rotation") tracks.push(new QuaternionKeyframeTrack(`${uuid}.quaternion`, times, values));
      else tracks.push(new VectorKeyframeTrack(`${uuid}.${target.path === "scale" ? "scale" : "position"}`, times, values));
    }
    return { name: animation.name ?? `Animation ${at}`, seconds, clip: tracks.length ? new AnimationClip(String(at), seconds, tracks) : undefined, weights };
  });
  return { root, levels, surfaces, bones: [...joints].map((joint) => objects[joint] as Bone), animations };
}

/** Moves the vertices of a level to where they are at a time; without weights to where they are at rest. */
export function moveVertices({ mesh, moves }: Level, weights: Weights | undefined, time: number): void {
  if (!moves) return;
  const { geometry } = mesh;
  const position = geometry.getAttribute("position") as BufferAttribute;
  const to = position.array as Float32Array;
  to.set(moves.base);
  if (weights && weights.times.length) {
    const { times, rows } = weights;
    let row = 0;
    while (row + 1 < times.length && times[row + 1] <= time) row += 1;
    const next = Math.min(row + 1, times.length - 1);
    const part = next === row ? 0 : Math.max(0, Math.min(1, (time - times[row]) / (times[next] - times[row])));
    for (const [one, share] of [[row, 1 - part], [next, part]]) {
      if (share === 0) continue;
      for (const [move, weight] of rows[one]) {
        const delta = moves.deltas[move];
        for (let at = 0; at < to.length; at++) to[at] += delta[at] * weight * share;
      }
    }
  }
  position.needsUpdate = true;
  geometry.computeVertexNormals();
}
