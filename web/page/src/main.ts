// The page begins here.

import { App } from "./app";
import { traffic } from "./engine";

const app = new App();
Object.assign(window, { page: { app, traffic, open: (files: File[]) => app.open(files), doc: () => app.doc() } });
void app.start();
