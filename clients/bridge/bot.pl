#!/usr/bin/env perl
# A bot in Perl, with what Perl brings along: anything, but into the river only if it must.
#   python -m paddock.bridge --name mine --max-matches 8 -- clients/bridge/bot.pl
use strict;
use warnings;
use JSON::PP;

$| = 1;    # an answer that stays in a buffer is no answer
while (my $line = <STDIN>) {
    my $said = decode_json($line);
    next if $said->{type} ne 'ask';
    my @choices = @{ $said->{choices} };
    my @dry = grep { ($choices[$_]{pen} // '') ne 'RIVER' } 0 .. $#choices;
    @dry = 0 .. $#choices if !@dry;
    print encode_json({ ask => $said->{ask}, number => $dry[rand @dry] }), "\n";
}
