// Which measures a decision may have, about whose account, and who works on a case.
import { describe, expect, test } from 'vitest'
import { roleNames, staffRoles } from '#contract/administration/role-names.ts'
import { contentMeasures, measureDays, personMeasures } from '#contract/moderation/measures.ts'
import { reportKind } from '#contract/posts/reports.ts'
import { holderOf, mayMeasure, planOf, type Plan, type WantedMeasures } from './restrictions.ts'

const NOW = Date.parse('2026-11-21T11:05:00Z')
const none: WantedMeasures = { content: null, person: null, days: null }
const plan = (
  wanted: Partial<WantedMeasures>,
  kind: (typeof reportKind.options)[number] = 'post',
  hasOwner = true,
) => planOf(kind, hasOwner, { ...none, ...wanted }, NOW)

/** A plan in one line: its measures with whom they are about and their ends, or the refused fields. */
const read = (it: Plan): string =>
  it.is === 'measures'
    ? it.measures
        .map((one) => `${one.about} ${one.kind} ${one.until?.toISOString() ?? 'for good'}`)
        .join(', ')
    : `${it.is} ${JSON.stringify(it.fields)}`

describe('a decision', () => {
  test.each<[what: string, wanted: Partial<WantedMeasures>, result: string]>([
    ['about content alone', { content: 'remove' }, 'content remove for good'],
    ['about a person alone', { person: 'warn' }, 'person warn for good'],
    ['with a suspension without an end', { person: 'suspend' }, 'person suspend for good'],
    [
      'with a suspension of 7 days',
      { person: 'suspend', days: 7 },
      'person suspend 2026-11-28T11:05:00.000Z',
    ],
    ['with a limit of 1 day', { person: 'limit', days: 1 }, 'person limit 2026-11-22T11:05:00.000Z'],
    [
      'about both, of which only the person’s measure ends',
      { content: 'hide', person: 'limit', days: 30 },
      'content hide for good, person limit 2026-12-21T11:05:00.000Z',
    ],
  ])('%s', (_, wanted, result) => {
    expect(read(plan(wanted))).toBe(result)
  })

  test.each<[what: string, wanted: Partial<WantedMeasures>, result: string]>([
    ['without any measure', {}, 'invalid {"content":"required"}'],
    ['without a measure that the days are for', { days: 7 }, 'invalid {"content":"required"}'],
    ['with days of a warning', { person: 'warn', days: 7 }, 'invalid {"days":"unsupported"}'],
    ['with days of a removal', { content: 'remove', days: 7 }, 'invalid {"days":"unsupported"}'],
  ])('%s is refused', (_, wanted, result) => {
    expect(read(plan(wanted))).toBe(result)
  })

  test.each([
    ['post', 'hide remove age_limit'],
    ['comment', 'hide remove'],
    ['person', ''],
    ['message', ''],
  ] as const)('about a %s supports these measures of content: %s', (kind, supported) => {
    const of = contentMeasures.map((content) => [content, read(plan({ content }, kind))])
    expect(of).toEqual(
      contentMeasures.map((it) => [
        it,
        supported.split(' ').includes(it) ? `content ${it} for good` : 'invalid {"content":"unsupported"}',
      ]),
    )
    expect(personMeasures.map((person) => read(plan({ person }, kind)))).toEqual(
      personMeasures.map((it) => `person ${it} for good`),
    )
  })

  test('about an author who has no account any more has measures of the content alone', () => {
    expect(read(plan({ content: 'remove' }, 'post', false))).toBe('content remove for good')
    for (const person of personMeasures)
      for (const content of [null, 'remove'] as const)
        expect(read(plan({ content, person }, 'post', false))).toBe('invalid {"person":"unknown_person"}')
  })

  test('ends a measure exactly as many days later as were chosen', () => {
    const ends = measureDays.map((days) => {
      const it = plan({ person: 'suspend', days })
      return it.is === 'measures' ? (it.measures[0]?.until?.getTime() ?? NOW) - NOW : 0
    })
    expect(ends).toEqual([1, 3, 7, 14, 30, 90].map((days) => days * 86_400_000))
  })
})

test('only admins take measures about the accounts of staff, also of other admins', () => {
  const table = staffRoles.map((by) => [by, ...roleNames.filter((about) => mayMeasure(by, about))].join(' '))
  expect(table).toEqual(['admin member admin moderator finance', 'moderator member', 'finance member'])
})

test.each([
  ['before its lock ends', 'staff', NOW + 1, 'staff'],
  ['when its lock ends', 'staff', NOW, null],
  ['after its lock ended', 'staff', NOW - 1, null],
  ['that was taken without a lock', 'staff', null, null],
  ['that was never taken', null, null, null],
  ['that only a lock is left of', null, NOW + 1, null],
])('who works on a case %s', (_, takenBy, until, holder) => {
  expect(holderOf({ takenBy, takenUntil: until === null ? null : new Date(until) }, NOW)).toBe(holder)
})
