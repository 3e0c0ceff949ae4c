// Mutations under thousands of seeded stories, and the proof that the stories would notice.
import { expect, test } from 'vitest'
import { runMutationStory } from './mutation-story.ts'
import type { Faults } from './world.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 2000)
const FIRST = Number(process.env['SEED'] ?? 1)

test(`in ${SEEDS} stories every mutation is done once and in order, or kept with the reason why not`, async () => {
  const failures: string[] = []
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const violations = await runMutationStory(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
    if (failures.length >= 5) break
  }
  expect(failures).toEqual([])
})

const planted: Record<string, { faults: Faults; caught: RegExp }> = {
  'an act is forgotten before it is answered': {
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
  'acts about one thing overtake each other': {
    faults: { anyOrder: true },
    caught: /^1: .* is o|^order:/,
  },
  'the server does what comes late': { faults: { mutationRules: { inOrder: false } }, caught: /^1: .* is o/ },
  'acts have one number': {
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
  'the answer to another request is taken for this one’s': {
    faults: {
      lies: ['answer to another request'],
      changes: [
        {
          file: 'contract/client.ts',
          find: 'if (isForAnother(header, id)) return',
          by: 'if (false) return',
        },
      ],
    },
    caught: /^6: refused in vain/,
  },
  'the opposite of an act changes nothing': {
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
  'pages of portals count as refusals of acts': {
    faults: {
      changes: [
        {
          file: 'sw/queue/requests/outcome.ts',
          find: 'if (!refusal) return unanswered',
          by: "if (!refusal) return { is: 'refused', code: 'bad_request' }",
        },
      ],
    },
    caught: /^6: refused in vain/,
  },
  'an act is sent with whatever session there is': { faults: { noOwner: true }, caught: /^5:/ },
  'the server writes a comment at each request': {
    faults: { mutationRules: { commentOnce: false } },
    caught: /^1: a comment is there/,
  },
  'a refusal is forgotten': {
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

test.each(Object.entries(planted))('a planted fault is noticed: %s', async (_name, { faults, caught }) => {
  const noticed: string[] = []
  for (let seed = 1; seed <= 300 && noticed.length === 0; seed++)
    noticed.push(...(await runMutationStory(seed, faults)).filter((violation) => caught.test(violation)))
  expect(noticed.length).toBeGreaterThan(0)
})
