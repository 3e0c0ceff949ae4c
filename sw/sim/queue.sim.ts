// The upload queue under thousands of seeded stories: the first and every other of them.
import { expect, test } from 'vitest'
import { runShare } from './queue-story.ts'

test('in every other story each job publishes exactly once or ends with a reason', async () => {
  expect(await runShare(0)).toEqual([])
})
