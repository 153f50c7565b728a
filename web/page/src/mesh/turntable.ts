// A camera around a thing: turned, tipped, brought nearer by pointer, wheel, two fingers and keys.

/** Radians that a key turns. */
const STEP = Math.PI / 18;
const ZOOM = 1.2;
/** Radians a pixel of a drag. */
const DRAG = 0.008;
const [NEAREST, FARTHEST] = [0.05, 60];

export class Turntable {
  /** Where the camera is: around the vertical axis, above the ground, so many radii away; what it looks at. */
  yaw = 0;
  pitch = 0;
  distance = 1;
  middle: [number, number] = [0, 0];
  private readonly fingers = new Map<number, [number, number]>();

  /** `signal` takes it off the canvas, `changed` is called when it was moved by hand. */
  constructor(canvas: HTMLElement, signal: AbortSignal, private readonly first: { yaw: number; pitch: number }, private readonly changed: () => void) {
    this.reset();
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM);
    }, { passive: false, signal });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    }, { signal });
    canvas.addEventListener("pointermove", (event) => this.drag(event), { signal });
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (event) => void this.fingers.delete(event.pointerId), { signal });
    canvas.addEventListener("keydown", (event) => {
      const move = event.shiftKey ? (x: number, y: number) => this.shift(x * 0.1, y * 0.1) : (x: number, y: number) => this.turn(x * STEP, y * STEP);
      const moves: Record<string, () => void> = {
        ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, 1), ArrowDown: () => move(0, -1),
        "+": () => this.zoom(ZOOM), "=": () => this.zoom(ZOOM), "-": () => this.zoom(1 / ZOOM), Home: () => { this.reset(); this.changed(); },
      };
      if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      moves[event.key]();
    }, { signal });
  }

  private drag(event: PointerEvent): void {
    const last = this.fingers.get(event.pointerId);
    if (!last) return;
    const here: [number, number] = [event.offsetX, event.offsetY];
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, here);
    const [x, y] = [here[0] - last[0], here[1] - last[1]];
    if (other) {
      const span = (a: [number, number]): number => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
      this.zoom(span(here) / span(last));
      // Each finger moves what is between them by half.
      this.shift(-x * 0.0015, y * 0.0015);
    } else if (event.shiftKey || event.buttons & 6) this.shift(-x * 0.003, y * 0.003);
    else this.turn(-x * DRAG, y * DRAG);
  }

  turn(yaw: number, pitch: number): void {
    this.yaw = (this.yaw + yaw) % (2 * Math.PI);
    this.pitch = Math.max(-Math.PI / 2 + 0.01, Math.min(Math.PI / 2 - 0.01, this.pitch + pitch));
    this.changed();
  }

  private shift(x: number, y: number): void {
    const within = (number: number): number => Math.max(-4, Math.min(4, number));
    this.middle = [within(this.middle[0] + x * this.distance), within(this.middle[1] + y * this.distance)];
    this.changed();
  }

  zoom(by: number): void {
    this.distance = Math.max(NEAREST, Math.min(FARTHEST, this.distance / by));
    this.changed();
  }

  reset(): void {
    Object.assign(this, { ...this.first, distance: 1, middle: [0, 0] });
  }
}
