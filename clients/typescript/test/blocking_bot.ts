// A bot that blocks its thread for as long as it thinks.

import { run } from "../src/index.js";

await run({
  choose() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    return 3;
  },
});
