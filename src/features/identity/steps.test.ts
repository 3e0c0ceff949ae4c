// Selects the step of an identity check that is shown.
import { expect, test } from 'vitest'
import type { DocumentKind } from '#contract/identity/identity.ts'
import { firstOpen, hasExpired, shownStep, stepsOf } from './steps.ts'

const issued = { id: 'p', prompts: ['nod'], expiresAt: 1_000_000 }
const draft = (documentKind: DocumentKind | null, ...parts: ('front' | 'back' | 'live')[]) => ({
  named: true,
  documentKind,
  asked: parts.includes('live') ? issued : null,
  front: parts.includes('front') ? 'f' : null,
  back: parts.includes('back') ? 'b' : null,
  live: parts.includes('live') ? 'l' : null,
})

test.each([
  [undefined, 'name'],
  [{ ...draft('passport', 'front', 'live'), named: false }, 'name'],
  [draft(null), 'document'],
  [draft('drivers_license'), 'front'],
  [draft('drivers_license', 'front'), 'back'],
  [draft('my_number_card', 'front'), 'live'],
  [draft('passport', 'front', 'live'), 'confirm'],
  [draft('drivers_license', 'front', 'live'), 'back'],
] as const)('of %j the first open step is %s', (it, step) => {
  expect(firstOpen(it)).toBe(step)
})

test('a requested step is shown if all earlier ones are complete', () => {
  const it = draft('drivers_license', 'front', 'back')
  expect(
    ['name', 'document', 'front', 'back', 'live', 'confirm', undefined].map((wanted) =>
      shownStep(it, wanted as never),
    ),
  ).toEqual(['name', 'document', 'front', 'back', 'live', 'live', 'live'])
  expect(shownStep(draft('passport', 'front'), 'back'), 'a passport has no back').toBe('live')
  expect(stepsOf(draft('passport'))).toEqual(['name', 'document', 'front', 'live', 'confirm'])
})

test('gestures expire half a minute before the server’s limit', () => {
  expect([hasExpired(null, 0), hasExpired(issued, 969_999), hasExpired(issued, 970_001)]).toEqual([
    false,
    false,
    true,
  ])
})
