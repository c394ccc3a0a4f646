// Errors that end a session for good; `exitCode` is what `run` ends the process with.

/** The root of the errors of this SDK. */
export class PaddockError extends Error {
  override name = "PaddockError";
  readonly exitCode: number = 1;
}

/** Thrown when the settings of a server, a token or a bot can't be used. */
export class BadSettings extends PaddockError {
  override name = "BadSettings";
  override readonly exitCode = 2;
}

/** Thrown when the server refuses the bot for good; `reason` is stable, the sentence says more. */
export class Refused extends PaddockError {
  override name = "Refused";
  override readonly exitCode = 2;

  constructor(
    readonly reason: string,
    readonly sentence: string,
  ) {
    super(reason ? `${reason}: ${sentence}` : sentence);
  }
}

/** Thrown when there was no connection for longer than `giveUpAfterMs`. */
export class Unreachable extends PaddockError {
  override name = "Unreachable";
}
