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

/** Answers that may come when the person has already taken the job back. */
const late = new Set(['withdrawn', 'discarded', 'withdrawDenied'])

const planted: Record<string, { faults: Faults; caught: RegExp }> = {
  'delete before ack: the device forgets a job once the post is added': {
    faults: {
      machine: {
        apply,
        nextStep: (facts, now) =>
          facts.post ? { do: 'finish', postId: facts.post.id, at: now } : nextStep(facts, now),
      },
    },
    caught: /^4: deleted before the release/,
  },
  'trusting our own offset: the upload goes on where the device left off': {
    faults: { ownOffset: true },
    caught: /^6:/,
  },
  'trusting our own offset: the server’s is not heard and the upload begins again': {
    faults: { deaf: true },
    caught: /^3: acknowledged bytes/,
  },
  'select-then-insert: the server looks for the key and inserts later': {
    faults: { rules: { addOnce: 'select' } },
    caught: /^1: a job made two posts/,
  },
  'no lock: every runner thinks it holds it': { faults: { noLock: true }, caught: /^7: two runners/ },
  'hook-based publish: an upload’s last byte publishes its post': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^1: .* was published 2 times/,
  },
  'hook-based publish: the hook that never runs is noticed too': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^4: deleted before the release/,
  },
  'wrong owner: a job is sent with whatever session there is': {
    faults: { noOwner: true },
    caught: /^5: a job was sent by another person/,
  },
  'lost late event: what the server answers after a cancel is passed over': {
    faults: {
      machine: {
        nextStep,
        apply: (facts, event) =>
          facts.ending.is === 'cancelled' && late.has(event.type) ? facts : apply(facts, event),
      },
    },
    caught: /^6: job .* never ended/,
  },
  'lost late event: the post’s id that comes after a lost answer is passed over': {
    faults: {
      machine: {
        nextStep,
        apply: (facts, event) =>
          event.type === 'postAdded' && facts.attempts > 0 ? facts : apply(facts, event),
      },
    },
    caught: /^6:/,
  },
  'the server tells followers at every release call': {
    faults: { rules: { releaseOnce: false } },
    caught: /^1: .* was published/,
  },
  'the server does not compare digests': {
    faults: { rules: { checkDigest: false } },
    caught: /^2: the released bytes/,
  },
  'the server makes a check at each request': {
    faults: { rules: { checkOnce: false } },
    caught: /^1: \d receipts, \d identity checks/,
  },
  'an identity check is forgotten before it is acknowledged': {
    faults: {
      machine: {
        apply,
        nextStep: (facts, now) => {
          const step = nextStep(facts, now)
          return step.do === 'deliver' ? { do: 'settle', id: 'none', at: now } : step
        },
      },
    },
    caught: /^4: deleted before the check/,
  },
  'an identity check is posted': {
    faults: {
      machine: { apply, nextStep: (facts, now) => nextStep({ ...facts, kind: 'post' }, now) },
    },
    caught: /asked for its post/,
  },
  'the idempotency key is made anew at each try': { faults: { freshKeys: true }, caught: /^1:/ },
  'the server piles up legacy chunks in any order': {
    faults: { rules: { anyOrder: true } },
    caught: /^2:|^6:/,
  },
  'a draft that is still being written is posted': {
    faults: { machine: { apply, nextStep: (facts, now) => nextStep({ ...facts, early: false }, now) } },
    caught: /asked for its post/,
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
  'a loss is never tried again': {
    faults: {
      machine: {
        apply,
        nextStep: (facts, now) => (facts.attempts > 0 ? { do: 'wait', for: 'person' } : nextStep(facts, now)),
      },
    },
    caught: /^6:/,
  },
  'a server without room is taken for a refusal': {
    faults: {
      machine: {
        nextStep,
        apply: (facts, event) =>
          apply(
            facts,
            event.type === 'lost' && event.why ? { type: 'refused', code: 'storage_full' } : event,
          ),
      },
    },
    caught: /^9: a server without room/,
  },
  'a digest that differs is passed over': {
    faults: {
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
