// The upload queue under thousands of seeded stories, and the proof that the stories would notice.
import { expect, test } from 'vitest'
import { apply } from '#sw/upload/machine.ts'
import { nextStep } from '#sw/upload/next-step.ts'
import { tell } from './story.ts'
import type { Faults } from './world.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 2000)
const FIRST = Number(process.env['SEED'] ?? 1)

test(`in ${SEEDS} stories every job publishes exactly once or ends with a reason`, async () => {
  const failures: string[] = []
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const violations = await tell(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
    if (failures.length >= 5) break
  }
  expect(failures).toEqual([])
})

const planted: Record<string, { faults: Faults; caught: RegExp }> = {
  'the server looks for the key and inserts without a constraint': {
    faults: { rules: { addOnce: 'never' } },
    caught: /^1:/,
  },
  'the server tells followers at every release call': {
    faults: { rules: { releaseOnce: false } },
    caught: /^1:/,
  },
  'the server does not compare digests': { faults: { rules: { checkDigest: false } }, caught: /^2:/ },
  'the idempotency key is made anew at each try': { faults: { freshKeys: true }, caught: /^1:/ },
  'the server piles up legacy chunks in any order': {
    faults: { rules: { anyOrder: true } },
    caught: /^2:|^6:/,
  },
  'runners do not take the lock': { faults: { noLock: true }, caught: /^7:/ },
  'a job is sent with whatever session there is': { faults: { noOwner: true }, caught: /^5:/ },
  'the device forgets a job once the post is added': {
    faults: {
      machine: {
        apply,
        nextStep: (facts, now) =>
          facts.post ? { do: 'finish', postId: facts.post.id, at: now } : nextStep(facts, now),
      },
    },
    caught: /^4:/,
  },
  'a lost answer drops the job': {
    faults: {
      machine: {
        nextStep: (facts, now) => (facts.attempts > 0 ? { do: 'drop' } : nextStep(facts, now)),
        apply,
      },
    },
    caught: /^6:/,
  },
  'the server’s offset is not heard': { faults: { deaf: true }, caught: /^3:/ },
  'a loss is never tried again': {
    faults: {
      machine: {
        nextStep,
        apply: (facts, event) =>
          event.type === 'lost'
            ? { ...facts, wait: { until: event.at + 23 * 3600 * 1000, told: true } }
            : apply(facts, event),
      },
    },
    caught: /^6:/,
  },
  'a digest that differs is passed over': {
    faults: {
      rules: { checkDigest: true },
      machine: {
        nextStep,
        apply: (facts, event) => (event.type === 'digestDiffered' ? facts : apply(facts, event)),
      },
    },
    caught: /^6:/,
  },
}

test.each(Object.entries(planted))('a planted fault is noticed: %s', async (_name, { faults, caught }) => {
  const noticed: string[] = []
  for (let seed = 1; seed <= 150 && noticed.length === 0; seed++) {
    noticed.push(...(await tell(seed, faults)).filter((violation) => caught.test(violation)))
  }
  expect(noticed.length).toBeGreaterThan(0)
})
