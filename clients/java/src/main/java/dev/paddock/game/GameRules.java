package dev.paddock.game;

/** The rule options of a match: {@code draftosaurus.Rules} or {@code dinotwist.Rules}. */
public interface GameRules {}
