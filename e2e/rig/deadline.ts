// The deadline of all waits in stories.

/**
 * After so long, ms, what a story waits for never comes: it ends what hangs, and says nothing about speed. A shorter one fails
 * on a busy machine.
 */
export const DEADLINE_MS = 240_000
