// Runs half of the stories of the upload queue, for two parallel test files.
import { runStory } from './story.ts'

/** The number of stories of both files together, and the first seed. */
const SEEDS = Number(process.env['SEEDS'] ?? 1000)
const FIRST = Number(process.env['SEED'] ?? 1)

/**
 * Runs every other story. Returns the seeds that violated an invariant, with their violations; at most five.
 * @param part 0 begins with the first story, 1 with the second
 */
export async function runShare(part: 0 | 1): Promise<string[]> {
  const failures: string[] = []
  for (let seed = FIRST + part; seed < FIRST + SEEDS && failures.length < 5; seed += 2) {
    const violations = await runStory(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
  }
  return failures
}
