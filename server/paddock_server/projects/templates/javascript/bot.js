#!/usr/bin/env node
// A bot in JavaScript, with what Node brings along.
'use strict';
const readline = require('node:readline');

// The number of a choice; ask.view is what this seat knows.
function choose(ask) {
  return Math.floor(Math.random() * ask.choices.length);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const said = JSON.parse(line);
  if (said.type !== 'ask') return;
  console.log(JSON.stringify({ ask: said.ask, number: choose(said) }));
});
