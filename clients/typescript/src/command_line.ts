import { parseArgs } from "node:util";
import { DEFAULT_SERVER } from "./address.js";
import type { Bot } from "./bot.js";
import { logEverything } from "./log.js";
import { run } from "./run.js";

const OPTIONS = {
  server: { type: "string" },
  token: { type: "string" },
  name: { type: "string" },
  "tls-ca": { type: "string" },
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  "max-matches": { type: "string" },
  verbose: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Run the bot with the options of the command line; `--help` lists them. */
export async function runFromCommandLine(bot: Bot, description: string): Promise<void> {
  const options = parsed();
  if (options.help) {
    console.log(helpOf(bot, description));
    return;
  }
  const matches = options["max-matches"];
  if (matches !== undefined && !/^[1-9]\d*$/.test(matches)) {
    refuse(`--max-matches: give 1 or more, not ${matches}`);
  }
  if (options.verbose) logEverything();
  await run(bot, {
    server: options.server,
    token: options.token,
    name: options.name,
    tlsCa: options["tls-ca"],
    tlsCert: options["tls-cert"],
    tlsKey: options["tls-key"],
    maxMatches: matches === undefined ? undefined : Number(matches),
  });
}

function parsed() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (problem) {
    return refuse((problem as Error).message.split(". ")[0] as string);
  }
}

function refuse(sentence: string): never {
  console.error(`${sentence}; --help lists the options`);
  process.exit(2);
}

function helpOf(bot: Bot, description: string): string {
  return `${description}

options:
  --server HOST:PORT  the server, or https://HOST:PORT, or a list with commas; default ${DEFAULT_SERVER}
  --token TOKEN       the bot's token; better in PADDOCK_TOKEN
  --name NAME         the bot's name on the server; default ${bot.name}
  --tls-ca FILE       the file of the server's CA, PEM; turns TLS on
  --tls-cert FILE     the bot's own certificate, PEM
  --tls-key FILE      the key of the bot's certificate, PEM
  --max-matches N     most matches at once; default ${bot.maxMatches ?? 8}
  --verbose           log every decision

Missing options are taken from PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.`;
}
