// The thread of the connection: see messages.ts.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { stayConnected } from "./connection.js";
import { Refused, Unreachable } from "./errors.js";
import { logEverything } from "./log.js";
import type { Beginning, Failure, Said, Told } from "./messages.js";
import { Session } from "./session.js";
import { Hello } from "./wire/paddock/v1/arena.js";

const port = parentPort as MessagePort;
const beginning = workerData as Beginning;
if (beginning.verbose) logEverything();
const stop = new AbortController();
const tell = (told: Told) => port.postMessage(told);
const idle = () => {
  if (beginning.stopWhenIdle) stop.abort();
};
const session = new Session(Hello.decode(beginning.hello), tell, idle);
port.on("message", (said: Said) => {
  if (said.kind === "stop") stop.abort();
  else session.answered(said);
});

let error: Failure | undefined;
try {
  await stayConnected({ ...beginning, session }, stop.signal);
} catch (problem) {
  if (problem instanceof Refused) {
    error = { kind: "refused", reason: problem.reason, sentence: problem.sentence };
  } else if (problem instanceof Unreachable) {
    error = { kind: "unreachable", reason: "", sentence: problem.message };
  } else {
    throw problem;
  }
}
tell(error ? { kind: "over", error } : { kind: "over" });
port.close();
