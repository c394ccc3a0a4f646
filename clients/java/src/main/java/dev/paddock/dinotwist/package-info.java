/** What a bot sees of Dino Twist, and what it can work out from it. */
package dev.paddock.dinotwist;
