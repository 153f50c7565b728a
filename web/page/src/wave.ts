// The shape of a sound: how loud it is over time.

import { h, onTheme } from "./dom";

/** A sound as samples from -1 to 1, by channel. */
export interface Samples { rate: number; channels: Float32Array[] }

/** Bytes of a compressed sound that browsers are asked to decode. */
const MOST_PACKED = 32 << 20;
/** Columns that are measured. */
const COLUMNS = 1_000;
const HIGH = 96;
/** Pixels of the page that a channel is high, however narrow the page is. */
const TALL = 64;

/** The samples of a WAV file of whole numbers or floats; nothing for other forms. */
export function readWav(bytes: ArrayBuffer): Samples | undefined {
  const view = new DataView(bytes);
  const word = (at: number): string => String.fromCharCode(...new Uint8Array(bytes, at, 4));
  if (bytes.byteLength < 12 || word(0) !== "RIFF" || word(8) !== "WAVE") return undefined;
  let [form, count, rate, bits] = [0, 0, 0, 0];
  for (let at = 12; at + 8 <= bytes.byteLength;) {
    const [name, size, start] = [word(at), view.getUint32(at + 4, true), at + 8];
    if (name === "fmt " && start + 16 <= bytes.byteLength) {
      [form, count, rate, bits] = [view.getUint16(start, true), view.getUint16(start + 2, true), view.getUint32(start + 4, true), view.getUint16(start + 14, true)];
      // The first two bytes of a GUID say the form of an extensible one.
      if (form === 0xfffe && start + 26 <= bytes.byteLength) form = view.getUint16(start + 24, true);
    }
    if (name === "data") return samplesOf(view, start, Math.min(size, bytes.byteLength - start), form, count, rate, bits);
    at = start + size + (size & 1);
  }
  return undefined;
}

function samplesOf(view: DataView, start: number, length: number, form: number, count: number, rate: number, bits: number): Samples | undefined {
  const width = bits / 8;
  const reads: Record<string, (at: number) => number> = {
    "1 8": (at) => (view.getUint8(at) - 128) / 128, "1 16": (at) => view.getInt16(at, true) / 32_768,
    "1 24": (at) => ((view.getUint16(at, true) | (view.getInt8(at + 2) << 16)) / 8_388_608), "1 32": (at) => view.getInt32(at, true) / 2_147_483_648,
    "3 32": (at) => view.getFloat32(at, true),
  };
  const read = reads[`${form} ${bits}`];
  if (!read || count === 0 || rate === 0) return undefined;
  const frames = Math.floor(length / (width * count));
  const channels = Array.from({ length: Math.min(count, 8) }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) samples[frame] = read(start + (frame * count + channel) * width);
    return samples;
  });
  return { rate, channels };
}

/** The samples of a sound, by the browser where it is no plain WAV file. */
async function decode(blob: Blob): Promise<Samples | undefined> {
  const bytes = await blob.arrayBuffer();
  const plain = readWav(bytes);
  if (plain || blob.size > MOST_PACKED || typeof OfflineAudioContext === "undefined") return plain;
  try {
    const audio = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes);
    return { rate: audio.sampleRate, channels: Array.from({ length: audio.numberOfChannels }, (_, at) => audio.getChannelData(at)) };
  } catch {
    return undefined;
  }
}

/** The least and the greatest sample of each of so many parts, from the last one of the part before: what is drawn of them has no gaps. */
export function peaks(samples: Float32Array, parts: number): [number, number][] {
  const count = Math.min(parts, samples.length);
  return Array.from({ length: count }, (_, part) => {
    let [least, most] = [1, -1];
    const end = Math.floor(((part + 1) * samples.length) / count);
    for (let at = Math.max(0, Math.floor((part * samples.length) / count) - 1); at < end; at++) [least, most] = [Math.min(least, samples[at]), Math.max(most, samples[at])];
    return [least, most];
  });
}

/** A picture of a sound with what it says in words; nothing where it can't be decoded. A click goes to that moment. */
export async function waveOf(blob: Blob, title: string, player: HTMLAudioElement | null): Promise<HTMLElement | undefined> {
  const samples = await decode(blob);
  const frames = samples?.channels[0]?.length ?? 0;
  if (!samples || frames === 0) return undefined;
  const canvas = h("canvas", { class: "wave", role: "img", "aria-label": `Waveform of ${title}`, id: "wave" });
  const shapes = samples.channels.map((channel) => peaks(channel, COLUMNS));
  canvas.style.height = `${TALL * shapes.length}px`;
  const draw = (): void => {
    const [wide, high] = [COLUMNS, HIGH * shapes.length];
    [canvas.width, canvas.height] = [wide, high];
    const style = getComputedStyle(document.documentElement);
    const context = canvas.getContext("2d")!;
    shapes.forEach((shape, channel) => {
      const middle = HIGH * (channel + 0.5);
      context.fillStyle = style.getPropertyValue("--rule");
      context.fillRect(0, middle, wide, 1);
      context.fillStyle = style.getPropertyValue("--accent");
      const column = wide / shape.length;
      shape.forEach(([least, most], at) => {
        const top = middle - (most * HIGH) / 2;
        context.fillRect(at * column, top, Math.max(column, 1), Math.max(1, ((most - least) * HIGH) / 2));
      });
    });
    if (!player || !player.duration) return;
    context.fillStyle = style.getPropertyValue("--ink");
    context.fillRect((player.currentTime / player.duration) * wide, 0, 2, high);
  };
  player?.addEventListener("timeupdate", draw);
  canvas.addEventListener("click", (event) => {
    if (player?.duration) player.currentTime = (event.offsetX / Math.max(1, canvas.clientWidth)) * player.duration;
  });
  onTheme(canvas, draw);
  draw();
  const loudest = Math.max(...shapes.flat().map(([least, most]) => Math.max(-least, most)));
  const said = `${(frames / samples.rate).toFixed(2)} seconds, ${samples.channels.length === 1 ? "one channel" : `${samples.channels.length} channels`}, ${samples.rate.toLocaleString("en-US")} samples a second, peak ${Math.round(loudest * 100)} %`;
  return h("div", { class: "waves" }, canvas, h("p", { class: "muted", id: "wave-facts" }, said));
}
