// The upload queue in thousands of seeded stories: the second, fourth and so on.
import { expect, test } from 'vitest'
import { runShare } from './queue-story.ts'

test('in every other story from the second on, each job publishes exactly once or ends with a reason', async () => {
  expect(await runShare(1)).toEqual([])
})
