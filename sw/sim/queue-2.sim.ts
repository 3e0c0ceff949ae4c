// The upload queue under thousands of seeded stories: those between.
import { expect, test } from 'vitest'
import { runShare } from './queue-story.ts'

test('in the stories between each job publishes exactly once or ends with a reason', async () => {
  expect(await runShare(1)).toEqual([])
})
