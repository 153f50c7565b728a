// Pictures whose colours have no bounds (Radiance RGBE, `.hdr`), as a screen can show them.

/** Rows that are stored by runs have a width of this many pixels at least, and fewer than 32,768. */
const LEAST_RUNS = 8;
/** Pixels that are drawn of one. */
const MOST = 64 << 20;

/** A row of four channels: by runs of each channel, or pixel by pixel. Where the next one starts; nothing where it is cut. */
function row(bytes: Uint8Array, start: number, wide: number, to: Uint8Array): number | undefined {
  let at = start;
  const isRuns = wide >= LEAST_RUNS && wide < 32_768 && bytes[at] === 2 && bytes[at + 1] === 2 && bytes[at + 2] < 128;
  if (!isRuns) {
    if (at + wide * 4 > bytes.length) return undefined;
    to.set(bytes.subarray(at, at + wide * 4));
    return at + wide * 4;
  }
  at += 4;
  for (let channel = 0; channel < 4; channel++) {
    for (let x = 0; x < wide;) {
      const count = bytes[at++];
      const isRun = count > 128;
      const length = isRun ? count - 128 : count;
      if (!(length > 0) || x + length > wide || at + (isRun ? 1 : length) > bytes.length) return undefined;
      for (let pixel = 0; pixel < length; pixel++) to[(x + pixel) * 4 + channel] = bytes[isRun ? at : at + pixel];
      at += isRun ? 1 : length;
      x += length;
    }
  }
  return at;
}

/** A part of light as a screen has it (sRGB); what is brighter than white is white. */
function shown(light: number): number {
  const part = Math.min(1, Math.max(0, light));
  return Math.round(255 * (part <= 0.003_130_8 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055));
}

/** Width, height and texels of a file; nothing where it is none, or damaged. */
export function readHdr(bytes: Uint8Array): { width: number; height: number; texels: Uint8ClampedArray<ArrayBuffer> } | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  const size = /\n-Y (\d+) \+X (\d+)\n/.exec(head);
  if (!head.startsWith("#?") || !size) return undefined;
  const [height, width] = [Number(size[1]), Number(size[2])];
  if (width === 0 || height === 0 || width * height > MOST) return undefined;
  const texels = new Uint8ClampedArray(width * height * 4);
  const line = new Uint8Array(width * 4);
  let at: number | undefined = size.index + size[0].length;
  for (let y = 0; y < height; y++) {
    at = row(bytes, at, width, line);
    if (at === undefined) return undefined;
    for (let x = 0; x < width; x++) {
      const scale = line[x * 4 + 3] === 0 ? 0 : 2 ** (line[x * 4 + 3] - 136);
      for (let part = 0; part < 3; part++) texels[(y * width + x) * 4 + part] = shown(line[x * 4 + part] * scale);
      texels[(y * width + x) * 4 + 3] = 255;
    }
  }
  return { width, height, texels };
}
