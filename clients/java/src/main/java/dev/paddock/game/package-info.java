/** What the games have in common. */
package dev.paddock.game;
