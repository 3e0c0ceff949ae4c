// The deadline of all waits in stories.

/**
 * After so long, ms, what a story waits for never comes: it ends what hangs, and says nothing about speed. A shorter one fails
 * on a busy machine. `npm run test:deep -- stories-busy` sets a longer one, since decoders run with low priority.
 */
export const DEADLINE_MS = Number(process.env['DEADLINE_MS'] ?? 240_000)
