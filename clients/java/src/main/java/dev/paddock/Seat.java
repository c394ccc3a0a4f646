package dev.paddock;

/** The bot in a seat. */
public record Seat(String bot, String version, String owner) {}
