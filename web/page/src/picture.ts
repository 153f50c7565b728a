// Textures and thumbnails as pictures.

import { errorNote } from "./details";
import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import { keeps } from "./keep";
import { pngOf, tgaOf } from "./imagefile";
import type { Details } from "./messages";
import { Replacing } from "./replacing";
import { download } from "./tabs";

interface Picture {
  form: string;
  width?: number;
  height?: number;
  sizes?: [number, number][];
  format?: string | null;
  /** The file holds more than a screen shows. */
  reduced?: boolean;
}

/** What is shown of the four channels. */
const CHANNELS: [string, string][] = [["rgba", "Colour and alpha"], ["rgb", "Colour"], ["r", "Red"], ["g", "Green"], ["b", "Blue"], ["a", "Alpha"]];

async function load(host: Host, key: string): Promise<{ picture: Picture; pixels: ImageData }> {
  const { value, bytes } = await host.doc().ask<Picture>("picture", { key });
  if (value.form === "rgba") {
    return { picture: value, pixels: new ImageData(new Uint8ClampedArray(bytes!), value.width!, value.height!) };
  }
  const bitmap = await createImageBitmap(new Blob([bytes!], { type: value.form === "jpg" ? "image/jpeg" : "image/png" }), { premultiplyAlpha: "none" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  return { picture: { ...value, width: bitmap.width, height: bitmap.height }, pixels: context.getImageData(0, 0, bitmap.width, bitmap.height) };
}

/** The thumbnail at a place as a small picture; nothing where it can't be shown. */
export async function thumbnailOf(host: Host, key: string, title: string): Promise<HTMLCanvasElement | undefined> {
  try {
    const { pixels } = await load(host, key);
    const canvas = h("canvas", { class: "thumbnail", role: "img", "aria-label": `Thumbnail of ${title}`, width: pixels.width, height: pixels.height });
    canvas.getContext("2d")!.putImageData(pixels, 0, 0);
    return canvas;
  } catch {
    return undefined;
  }
}

function channel(pixels: ImageData, which: string): ImageData {
  if (which === "rgba") return pixels;
  const from = pixels.data;
  const to = new ImageData(pixels.width, pixels.height);
  const at = "rgba".indexOf(which);
  for (let index = 0; index < from.length; index += 4) {
    for (let part = 0; part < 3; part++) to.data[index + part] = which === "rgb" ? from[index + part] : from[index + at];
    to.data[index + 3] = 255;
  }
  return to;
}

/** How large texels are drawn: fitted into the pane, or so many pixels each. */
const ZOOMS: [string, string][] = [["fit", "Fit"], ["1", "100 %"], ["2", "200 %"], ["4", "400 %"], ["8", "800 %"]];

/** Files that textures are given. */
const PICTURES = ".png,.tga,.dds,.jpg,.jpeg,.bmp,.pcx,.hdr,image/png,image/jpeg,image/bmp";

export async function pictureTab(host: Host, details: Details): Promise<HTMLElement> {
  const replacing = new Replacing(host, details);
  // Thumbnails have no texels of their own.
  const isObject = details.row !== undefined;
  const loaded = await load(host, details.key).catch((error: Error) => error);
  if (loaded instanceof Error) {
    // A picture that can't be shown, since its texels stand in a file that is not here, may take another one.
    return h("div", {}, errorNote(loaded), isObject ? h("p", { class: "actions" }, replacing.button("Replace it\u2026", PICTURES)) : null, replacing.said);
  }
  let { picture, pixels } = loaded;
  const canvas = h("canvas", { class: "picture", role: "img", "aria-label": `Picture of ${details.title}` });
  const said = h("p", { class: "muted" });
  const draw = (): void => {
    canvas.width = pixels.width;
    canvas.height = pixels.height;
    const small = Math.max(pixels.width, pixels.height) <= 128;
    // Small ones are enlarged by whole numbers, large ones shrunk to the pane.
    const fitted = small ? Math.min(4, Math.floor(256 / Math.max(pixels.width, pixels.height, 1)) || 1) : 1;
    canvas.style.width = `${pixels.width * (zoom.value === "fit" ? fitted : Number(zoom.value))}px`;
    canvas.style.maxWidth = zoom.value === "fit" && !small ? "100%" : "none";
    canvas.getContext("2d")!.putImageData(channel(pixels, channels.value), 0, 0);
    said.textContent = [`${grouped(pixels.width)} by ${grouped(pixels.height)}`, picture.format, picture.reduced ? "its file holds more than a screen shows" : ""].filter(Boolean).join(", ");
  };
  const channels = h("select", { "aria-label": "Channel", "data-keep": "channel", "data-path": "channel", onchange: draw }, ...CHANNELS.map(([value, text]) => h("option", { value }, text)));
  const zoom = h("select", { "aria-label": "Zoom", "data-keep": "zoom", "data-path": "zoom", onchange: draw }, ...ZOOMS.map(([value, text]) => h("option", { value }, text)));
  const saved = (): ImageData => channel(pixels, channels.value);
  const save = [button("Save as PNG", () => void pngOf(saved()).then((file) => download(file, `${details.title}.png`))),
    button("as TGA", () => download(tgaOf(saved()), `${details.title}.tga`), { "aria-label": "Save as TGA" })];
  if (picture.reduced) save.push(button("its file", () => void saveFile(host, details), { "aria-label": "Save its file", title: "Its colours as they are stored" }));
  if (isObject) save.push(button("as DDS", () => void saveDds(host, details), { "aria-label": "Save as DDS", title: "All its sizes, as they are stored" }));
  const sizes = picture.sizes ?? [];
  const chooseSize = async (): Promise<void> => {
    try {
      ({ picture, pixels } = await load(host, `${details.key}@${chooser.value}`));
      draw();
    } catch (error) {
      said.textContent = (error as Error).message;
    }
  };
  const chooser = h("select", { "aria-label": "Size", "data-path": "size", disabled: sizes.length < 2, onchange: () => void chooseSize() },
    ...(sizes.length ? sizes : [[pixels.width, pixels.height]]).map(([wide, high], at) => h("option", { value: String(at) }, `${wide} \u00d7 ${high}`)));
  const sizeAgain = async (at: number): Promise<void> => {
    if (chooser.selectedIndex === at || at >= chooser.options.length) return;
    chooser.selectedIndex = at;
    await chooseSize();
  };
  // It is loaded before the view is shown: the first one would be seen for a moment.
  keeps<number>(chooser, "size", { take: () => chooser.selectedIndex || undefined, prepare: sizeAgain, give: (at) => void sizeAgain(at) });
  draw();
  const ground = h("div", { class: "picture-ground", "data-keep": "picture" }, canvas);
  if (isObject) replacing.takesDrops(ground);
  return h("div", {}, h("div", { class: "actions" }, chooser, channels, zoom, ...save, isObject ? replacing.button("Replace it\u2026", PICTURES) : null),
    replacing.said, ground, said);
}

/** Saves a texture as its file. */
async function saveFile(host: Host, details: Details): Promise<void> {
  try {
    const { value, bytes } = await host.doc().ask<{ extension: string }>("content", { row: details.row });
    download(new Blob([bytes ?? new ArrayBuffer(0)]), `${details.title}.${value.extension}`);
  } catch (error) {
    host.fail(error, details.title);
  }
}

/** Saves a texture with all its sizes as they are stored. */
async function saveDds(host: Host, details: Details): Promise<void> {
  try {
    const { bytes } = await host.doc().ask("dds", { row: details.row });
    download(new Blob([bytes ?? new ArrayBuffer(0)], { type: "image/vnd-ms.dds" }), `${details.title}.dds`);
  } catch (error) {
    host.fail(error, details.title);
  }
}
