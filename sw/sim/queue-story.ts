// Runs a share of the stories of the upload queue: two files run them in parallel.
import { runStory } from './story.ts'

/** Number of stories of both files together, and the first seed. */
const SEEDS = Number(process.env['SEEDS'] ?? 2000)
const FIRST = Number(process.env['SEED'] ?? 1)

/**
 * Gives the seeds whose stories broke an invariant, with what they broke; at most five.
 * @param part 0 runs every other story from the first on, 1 those between
 */
export async function runShare(part: 0 | 1): Promise<string[]> {
  const failures: string[] = []
  for (let seed = FIRST + part; seed < FIRST + SEEDS && failures.length < 5; seed += 2) {
    const violations = await runStory(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
  }
  return failures
}
