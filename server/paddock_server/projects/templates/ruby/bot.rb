#!/usr/bin/env ruby
# A bot in Ruby, with what Ruby brings along.
require "json"

# The number of a choice; ask["view"] is what this seat knows.
def choose(ask)
  rand(ask["choices"].size)
end

$stdout.sync = true # an answer that stays in a buffer is no answer
$stdin.each_line do |line|
  said = JSON.parse(line)
  next unless said["type"] == "ask"

  puts JSON.generate({ ask: said["ask"], number: choose(said) })
end
