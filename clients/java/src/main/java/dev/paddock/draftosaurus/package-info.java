/** What a bot sees of Draftosaurus, and what it can work out from it. */
package dev.paddock.draftosaurus;
