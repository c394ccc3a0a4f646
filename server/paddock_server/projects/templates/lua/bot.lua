#!/usr/bin/env lua
-- A bot in Lua. Lua has no JSON of its own: this bot only counts the choices of an ask, each of which
-- has one "kind". With a JSON library it can look at the view.
io.stdout:setvbuf("line") -- an answer that stays in a buffer is no answer
math.randomseed(os.time())

-- The number of a choice.
local function choose(count)
  return math.random(count) - 1
end

for line in io.lines() do
  if line:find('{"type":"ask",', 1, true) == 1 then
    local choices = line:match('"choices":(.*)$')
    local _, count = choices:gsub('"kind":', "")
    print(string.format('{"ask":"%s","number":%d}', line:match('"ask":"(%d+)"'), choose(count)))
  end
end
