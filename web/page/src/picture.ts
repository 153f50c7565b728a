// Textures and thumbnails as pictures.

import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import type { Details } from "./messages";
import { download } from "./tabs";

interface Picture {
  form: string;
  width?: number;
  height?: number;
  sizes?: [number, number][];
  format?: string | null;
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

/** A picture as PNG. Written from the texels: a canvas loses the colour of what is transparent. */
async function png(pixels: ImageData): Promise<Blob> {
  const rows = new Uint8Array(pixels.height * (pixels.width * 4 + 1));
  for (let row = 0; row < pixels.height; row++) {
    rows.set(pixels.data.subarray(row * pixels.width * 4, (row + 1) * pixels.width * 4), row * (pixels.width * 4 + 1) + 1);
  }
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const size = new Uint8Array(13);
  new DataView(size.buffer).setUint32(0, pixels.width);
  new DataView(size.buffer).setUint32(4, pixels.height);
  // Eight bits, four channels.
  size.set([8, 6], 8);
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  return new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), chunk("IHDR", size), chunk("IDAT", data), chunk("IEND", new Uint8Array(0))], { type: "image/png" });
}

function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let at = 0; at < 4; at++) bytes[4 + at] = name.charCodeAt(at);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

export async function pictureTab(host: Host, details: Details): Promise<Node> {
  let { picture, pixels } = await load(host, details.key);
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
    said.textContent = [`${grouped(pixels.width)} by ${grouped(pixels.height)}`, picture.format].filter(Boolean).join(", ");
  };
  const channels = h("select", { "aria-label": "Channel", onchange: draw }, ...CHANNELS.map(([value, text]) => h("option", { value }, text)));
  const zoom = h("select", { "aria-label": "Zoom", onchange: draw }, ...ZOOMS.map(([value, text]) => h("option", { value }, text)));
  const save = button("Save as PNG", () => void png(channel(pixels, channels.value)).then((file) => download(file, `${details.title}.png`)));
  const sizes = picture.sizes ?? [];
  const chooser = h("select", {
    "aria-label": "Size", disabled: sizes.length < 2, onchange: async () => {
      try {
        ({ picture, pixels } = await load(host, `${details.key}@${chooser.value}`));
        draw();
      } catch (error) {
        said.textContent = (error as Error).message;
      }
    },
  }, ...(sizes.length ? sizes : [[pixels.width, pixels.height]]).map(([wide, high], at) => h("option", { value: String(at) }, `${wide} \u00d7 ${high}`)));
  draw();
  return h("div", {}, h("div", { class: "actions" }, chooser, channels, zoom, save), h("div", { class: "picture-ground" }, canvas), said);
}
