// Bytes that are written as Base64.

/** Characters that are decoded at a time: four are three bytes. */
const CHARACTERS = 4 << 18;

/** The bytes of a text, in pieces; throws where it is no Base64. A plain loop: `Uint8Array.from` calls a function for each byte. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < text.length; from += CHARACTERS) {
    const characters = atob(text.slice(from, from + CHARACTERS));
    const bytes = new Uint8Array(characters.length);
    for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
    pieces.push(bytes);
  }
  return pieces;
}
