// The upload queue in thousands of seeded stories: the first, third and so on.
import { expect, test } from 'vitest'
import { runShare } from './queue-story.ts'

test('in every other story from the first on, each job publishes exactly once or ends with a reason', async () => {
  expect(await runShare(0)).toEqual([])
})
