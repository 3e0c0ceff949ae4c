// Mutations in thousands of seeded stories, and planted faults that the stories must detect.
import { expect, test } from 'vitest'
import { runMutationStory } from './mutation-story.ts'
import type { Faults } from './world.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 1000)
const FIRST = Number(process.env['SEED'] ?? 1)

test(`in ${SEEDS} stories every mutation takes effect once and in order, or remains with the reason of its refusal`, async () => {
  const failures: string[] = []
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const violations = await runMutationStory(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
    if (failures.length >= 5) break
  }
  expect(failures).toEqual([])
})

const planted: Record<string, { faults: Faults; caught: RegExp }> = {
  'a mutation is deleted before it is answered': {
    faults: {
      changes: [
        {
          file: 'sw/queue/machines/mutation.ts',
          find: ": { do: 'request' }",
          by: ": { do: 'finish', id: 'none', at: now }",
        },
      ],
    },
    caught: /^6: a comment is lost/,
  },
  'mutations of one target are sent out of order': {
    faults: { anyOrder: true },
    caught: /^1: .* is o|^order:/,
  },
  'the server performs late mutations': {
    faults: { mutationRules: { inOrder: false } },
    caught: /^1: .* is o/,
  },
  'all mutations have the same sequence number': {
    faults: {
      changes: [
        {
          file: 'device/mutations/mutations.ts',
          find: 'number: Math.max(now, number + 1)',
          by: 'number: 1 + 0 * Math.max(now, number)',
        },
      ],
    },
    caught: /^1: .* is o/,
  },
  'the answer to another request is accepted': {
    faults: {
      foreignReplies: ['answer to another request'],
      changes: [
        {
          file: 'contract/client.ts',
          find: 'if (isForAnother(header, id)) return',
          by: 'if (false) return',
        },
      ],
    },
    caught: /^6: refused without a reason/,
  },
  'the opposite of a queued mutation changes nothing': {
    faults: {
      changes: [
        {
          file: 'device/mutations/coalescing.ts',
          find: 'if (last.form.mutation.name === mutation.name) return',
          by: 'if (last.form.mutation.name) return',
        },
      ],
    },
    caught: /^1: .* is o/,
  },
  'pages of captive portals count as refusals of mutations': {
    faults: {
      changes: [
        {
          file: 'sw/queue/requests/outcome.ts',
          find: 'if (!refusal) return unanswered',
          by: "if (!refusal) return { is: 'refused', code: 'bad_request' }",
        },
      ],
    },
    caught: /^6: refused without a reason/,
  },
  'a mutation is sent with the session of any person': { faults: { noOwner: true }, caught: /^5:/ },
  'the server stores a comment at each request': {
    faults: { mutationRules: { commentOnce: false } },
    caught: /^1: a comment is stored/,
  },
  'a refused mutation is deleted': {
    faults: {
      changes: [
        {
          file: 'sw/queue/machines/mutation.ts',
          find: "return { ...job, stage: { is: 'failed', code, ...(fields && { fields }) } }",
          by: "return { ...job, stage: { is: 'delivered', id: 'none', at: Number(!code && fields) } }",
        },
      ],
    },
    caught: /^6: a comment is lost/,
  },
}

test.each(Object.entries(planted))(
  'the stories detect a planted fault: %s',
  async (_name, { faults, caught }) => {
    const detected: string[] = []
    for (let seed = 1; seed <= 300 && detected.length === 0; seed++)
      detected.push(...(await runMutationStory(seed, faults)).filter((violation) => caught.test(violation)))
    expect(detected.length).toBeGreaterThan(0)
  },
)
