// Textures and thumbnails as pictures.

import type { Host } from "./details";
import { grouped, h } from "./dom";
import type { Details } from "./messages";

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

export async function pictureTab(host: Host, details: Details): Promise<Node> {
  let { picture, pixels } = await load(host, details.key);
  const canvas = h("canvas", { class: "picture", role: "img", "aria-label": `Picture of ${details.title}` });
  const said = h("p", { class: "muted" });
  const draw = (): void => {
    canvas.width = pixels.width;
    canvas.height = pixels.height;
    const small = Math.max(pixels.width, pixels.height) <= 128;
    canvas.style.width = `${pixels.width * (small ? Math.min(4, Math.floor(256 / Math.max(pixels.width, pixels.height, 1)) || 1) : 1)}px`;
    canvas.getContext("2d")!.putImageData(channel(pixels, channels.value), 0, 0);
    said.textContent = [`${grouped(pixels.width)} by ${grouped(pixels.height)}`, picture.format].filter(Boolean).join(", ");
  };
  const channels = h("select", { "aria-label": "Channel", onchange: draw }, ...CHANNELS.map(([value, text]) => h("option", { value }, text)));
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
  return h("div", {}, h("div", { class: "actions" }, chooser, channels), h("div", { class: "picture-ground" }, canvas), said);
}
