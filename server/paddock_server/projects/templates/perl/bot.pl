#!/usr/bin/env perl
# A bot in Perl, with what Perl brings along.
use strict;
use warnings;
use JSON::PP;

# The number of a choice; $ask->{view} is what this seat knows.
sub choose {
    my ($ask) = @_;
    return int rand @{ $ask->{choices} };
}

$| = 1;    # an answer that stays in a buffer is no answer
while (my $line = <STDIN>) {
    my $said = decode_json($line);
    next if $said->{type} ne 'ask';
    print encode_json({ ask => $said->{ask}, number => choose($said) }), "\n";
}
