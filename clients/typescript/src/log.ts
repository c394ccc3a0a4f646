import { writeSync } from "node:fs";

/** How much is logged: 3 everything, 2 what happens, 1 warnings, 0 errors. */
let level = 2;

/** Log every decision, too. */
export function logEverything(): void {
  level = 3;
}

/** Whether every decision is logged. */
export function logsEverything(): boolean {
  return level >= 3;
}

// Lines are written at once: what a thread hands to process.stderr would wait for the bot.
function write(least: number, word: string, line: string): void {
  if (level < least) return;
  const [day, time] = new Date().toISOString().split("T") as [string, string];
  try {
    writeSync(2, `${day} ${time.slice(0, 12).replace(".", ",")} ${word} ${line}\n`);
  } catch {
    // nobody reads the log: the bot plays on
  }
}

export const log = {
  debug: (line: string) => write(3, "DEBUG", line),
  info: (line: string) => write(2, "INFO", line),
  warning: (line: string) => write(1, "WARNING", line),
  error: (line: string) => write(0, "ERROR", line),
};

/** An error with its stack, or whatever else was thrown. */
export function stackOf(problem: unknown): string {
  return problem instanceof Error ? (problem.stack ?? String(problem)) : String(problem);
}
