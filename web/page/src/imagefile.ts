// Texels as files of pictures. Written from the texels: a canvas loses the colour of what is transparent.

/** A picture as PNG. */
export async function pngOf(pixels: ImageData): Promise<Blob> {
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

/** A picture as TGA: not compressed, 32 bits a texel, from the top. */
export function tgaOf(pixels: ImageData): Blob {
  const head = new Uint8Array(18);
  const view = new DataView(head.buffer);
  head[2] = 2;
  view.setUint16(12, pixels.width, true);
  view.setUint16(14, pixels.height, true);
  // Eight bits of alpha; the first row is the upper one.
  head.set([32, 0x28], 16);
  const texels = new Uint8Array(pixels.data);
  for (let at = 0; at < texels.length; at += 4) [texels[at], texels[at + 2]] = [texels[at + 2], texels[at]];
  return new Blob([head, texels], { type: "image/x-tga" });
}
