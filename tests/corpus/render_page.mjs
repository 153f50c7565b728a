// Draws glTF files in the browser, and measures what is seen of them.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

/** Pixels along a side of what is measured, and of what is shown. */
const [SIZE, SHOWN] = [256, 300];
/** From where a body is looked at, a ground, and a ceiling. */
const VIEWS = {
  around: [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].map((z) => [x, y * 0.7, z]))),
  above: [[0.2, 1, 0.1], [-0.2, 1, -0.1]],
  below: [[0.2, -1, 0.1], [-0.2, -1, -0.1]],
};
/** From where their pictures are taken. */
const SHOWN_FROM = { around: [1, 0.7, 1], above: [0.6, 1, 0.8], below: [0.6, -1, 0.8] };

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(SHOWN, SHOWN);
const target = new THREE.WebGLRenderTarget(SIZE, SIZE);

/** Red where the nearest surface is seen from its front, green where from behind. */
function sides(side) {
  const material = new THREE.MeshBasicMaterial({ side });
  material.onBeforeCompile = (shader) => {
    const end = "#include <dithering_fragment>";
    shader.fragmentShader = shader.fragmentShader.replace(end, `${end}\ngl_FragColor = gl_FrontFacing ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);`);
  };
  return material;
}
const [both, front] = [sides(THREE.DoubleSide), sides(THREE.FrontSide)];

/** A camera that sees the whole box from there. */
function camera(box, from) {
  const { center, radius } = box.getBoundingSphere(new THREE.Sphere());
  const made = new THREE.OrthographicCamera(-radius, radius, radius, -radius, 0, radius * 4);
  made.position.set(...from).normalize().multiplyScalar(radius * 2).add(center);
  made.lookAt(center);
  made.updateMatrixWorld();
  return made;
}

function pixels(scene, camera) {
  renderer.setRenderTarget(target);
  renderer.setClearColor(0, 0);
  renderer.clear();
  renderer.render(scene, camera);
  const data = new Uint8Array(SIZE * SIZE * 4);
  renderer.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, data);
  renderer.setRenderTarget(null);
  return data;
}

/** Pixels of the front and of the back over all views, and of the front where backs are not drawn. */
function winding(scene, box, views) {
  const counts = { front: 0, back: 0, culled: 0 };
  for (const view of views) {
    const from = camera(box, view);
    scene.overrideMaterial = both;
    let data = pixels(scene, from);
    for (let at = 0; at < data.length; at += 4) {
      counts.front += data[at] > 0;
      counts.back += data[at + 1] > 0;
    }
    scene.overrideMaterial = front;
    data = pixels(scene, from);
    for (let at = 0; at < data.length; at += 4) counts.culled += data[at] > 0;
  }
  scene.overrideMaterial = null;
  return { ...counts, all: views.length * SIZE * SIZE };
}

/** Colours without light, of 64 steps each. */
function colors(scene, box, view) {
  const before = new Map();
  scene.traverse((node) => {
    if (!node.isMesh) return;
    before.set(node, node.material);
    const { map, color, alphaTest, side } = node.material;
    node.material = new THREE.MeshBasicMaterial({ map, color, alphaTest, side });
  });
  const data = pixels(scene, camera(box, view));
  for (const [node, material] of before) node.material = material;
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0) seen.add((data[at] >> 2 << 12) | (data[at + 1] >> 2 << 6) | data[at + 2] >> 2);
  return seen.size;
}

/** A picture under light from above, with the axes: X red, Y green, Z blue. */
function picture(scene, box, view) {
  const axes = new THREE.AxesHelper(box.getSize(new THREE.Vector3()).length() * 0.25);
  axes.position.copy(box.min);
  const sky = new THREE.HemisphereLight(0xffffff, 0x555566, 1.6);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(0.5, 1, 0.8);
  scene.add(axes, sky, sun);
  renderer.setClearColor(0x9aa5b1, 1);
  renderer.render(scene, camera(box, view));
  scene.remove(axes, sky, sun);
  return renderer.domElement.toDataURL("image/png");
}

function counts({ scene, animations }) {
  const found = { triangles: 0, vertices: 0, bones: 0, shapes: 0, animations: animations.length, maps: 0 };
  const [buffers, materials] = [new Set(), new Set()];
  scene.traverse((node) => {
    if (!node.isMesh) return;
    found.triangles += node.geometry.index.count / 3;
    const { position } = node.geometry.attributes;
    if (!buffers.has(position)) found.vertices += position.count;
    buffers.add(position);
    found.bones = Math.max(found.bones, node.skeleton?.bones.length ?? 0);
    found.shapes = Math.max(found.shapes, node.geometry.morphAttributes.position?.length ?? 0);
    materials.add(node.material);
  });
  found.maps = [...materials].filter(({ map }) => map?.image).length;
  return found;
}

/** What is seen of a file. */
window.measure = async (file, from) => {
  const gltf = await new GLTFLoader().loadAsync(`/file/${file}`);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  scene.traverse((node) => { if (node.isLight) node.visible = false; });
  scene.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(gltf.scene, true);
  const measured = {
    ...counts(gltf),
    ...winding(scene, box, VIEWS[from]),
    colors: colors(scene, box, SHOWN_FROM[from]),
    min: box.min.toArray(), max: box.max.toArray(),
    picture: picture(scene, box, SHOWN_FROM[from]),
  };
  scene.traverse((node) => node.geometry?.dispose());
  return measured;
};
window.isReady = true;
