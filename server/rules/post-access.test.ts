// The access policy for every combination of viewer and post, against a handwritten table.
import { describe, expect, test } from 'vitest'
import {
  accessTo,
  type AuthorState,
  endOfAccess,
  type Entitlements,
  isOpen,
  type PostAccess,
  sharesOpenTexts,
  showsOpenTexts,
  viewerOf,
} from './post-access.ts'

const author = { id: 'author', age: 30 }
const fan = { id: 'fan', age: 30 }
const plan = 'plan-a'

const plain: Entitlements = {
  joinedPlans: new Set(),
  bought: false,
  showsAgeLimited: true,
  blocked: false,
}
const joined = { joinedPlans: new Set([plan, 'plan-y']) }
const bought = { bought: true }
const both = { ...joined, ...bought }
const hides = { showsAgeLimited: false }
const blocked = { blocked: true }
const young = { ...fan, age: 17 }

type TableViewer = readonly [member: { id: string; age: number } | null, has?: Partial<Entitlements>]

/**
 * The view of each viewer of a released post whose author exists. `all`: everything. `kept`: everything without reactions.
 * `-`: nothing. Else the preview,
 * and the required step. Columns: open, for a plan, priced; then the same with the age limit.
 */
const table: Record<string, readonly [viewer: TableViewer, cells: string]> = {
  visitor: [[null], 'sign_in sign_in sign_in sign_in sign_in sign_in'],
  'visitor whose member self has everything': [
    [null, both],
    'sign_in sign_in sign_in sign_in sign_in sign_in',
  ],
  member: [[fan], 'all plan purchase all plan purchase'],
  'member of another plan': [
    [fan, { joinedPlans: new Set(['plan-z']) }],
    'all plan purchase all plan purchase',
  ],
  'member of the plan': [[fan, joined], 'all all purchase all all purchase'],
  buyer: [[fan, bought], 'all plan all all plan all'],
  'member of the plan who bought': [[fan, both], 'all all all all all all'],
  'member of 18': [[{ ...fan, age: 18 }], 'all plan purchase all plan purchase'],
  'member of 17': [[young], 'all plan purchase - - -'],
  'member of 17 who joined and bought': [[young, both], 'all all all - - -'],
  'member of 17 who hides age-limited': [[young, hides], 'all plan purchase - - -'],
  'member who hides age-limited': [[fan, hides], 'all plan purchase age age age'],
  'member who joined, bought and hides age-limited': [
    [fan, { ...both, ...hides }],
    'all all all age age age',
  ],
  'member blocked from the author': [[fan, blocked], '- - - - - -'],
  'member blocked from the author who joined and bought': [
    [fan, { ...both, ...blocked }],
    '- - kept - - kept',
  ],
  author: [[author], 'all all all all all all'],
  'author who hides age-limited': [[author, hides], 'all all all all all all'],
  'author of 17': [[{ ...author, age: 17 }], 'all all all all all all'],
}
const columns = [1, 2, 3, 1, 2, 3] as const

const authors = ['author', 'author who hides age-limited', 'author of 17']

/** Rows of the table that have paid for posts, by type. */
const payers: Record<number, readonly string[]> = {
  1: [],
  2: [
    'member of the plan',
    'member of the plan who bought',
    'member of 17 who joined and bought',
    'member who joined, bought and hides age-limited',
  ],
  3: [
    'buyer',
    'member of the plan who bought',
    'member of 17 who joined and bought',
    'member who joined, bought and hides age-limited',
    'member blocked from the author who joined and bought',
  ],
}
const all = Object.keys(table)
const none: readonly string[] = []

/** Rows of the table that see a post of a type in each of its other states. */
const states: readonly {
  released: boolean
  deleted: boolean
  authorState: AuthorState
  opens: (type: number) => readonly string[]
}[] = [
  { released: true, deleted: false, authorState: 'present', opens: () => all },
  { released: false, deleted: false, authorState: 'present', opens: () => authors },
  ...(['leaving', 'suspended'] as const).map((authorState) => {
    return { released: true, deleted: false, authorState, opens: (type: number) => payers[type] ?? none }
  }),
  ...(['leaving', 'suspended'] as const).map((authorState) => {
    return { released: false, deleted: false, authorState, opens: () => none }
  }),
  ...[true, false].flatMap((released) => [
    ...(['present', 'leaving', 'suspended', 'gone'] as const).map((authorState) => {
      return { released, deleted: true, authorState, opens: () => none }
    }),
    {
      released,
      deleted: false,
      authorState: 'gone' as const,
      opens: (type: number) => (released && type === 3 ? (payers[type] ?? none) : none),
    },
  ]),
]

/** @param authorState a post is only kept for its buyers once its author is gone */
const meaning = (cell: string | undefined, authorState: AuthorState): PostAccess => {
  if (cell === 'all') return { is: authorState === 'gone' ? 'kept' : 'full' }
  if (cell === 'kept') return { is: 'kept' }
  if (cell === 'sign_in' || cell === 'plan' || cell === 'purchase' || cell === 'age')
    return { is: 'preview', wants: cell }
  return { is: 'hidden' }
}

const kinds = columns.map((type, at) => ({ type, isAgeLimited: at >= 3, at }))

describe.each(states)('released $released, deleted $deleted, author $authorState', (state) => {
  test.each(kinds)('type $type, age-limited $isAgeLimited', ({ type, isAgeLimited, at }) => {
    const { opens: opensFor, ...itsState } = state
    const guarded = { ...itsState, authorId: author.id, type, isAgeLimited, planIds: ['plan-b', plan] }
    const seen = Object.entries(table).map(([name, [[member, has]]]) => {
      const viewer = viewerOf(member, { ...plain, ...has })
      return [name, accessTo(viewer, guarded)]
    })
    const opens = opensFor(type)
    const expected = Object.entries(table).map(([name, [, cells]]) => [
      name,
      meaning(opens.includes(name) ? cells.split(' ')[at] : '-', state.authorState),
    ])
    expect(seen).toEqual(expected)
  })
})

test('a share card shows released posts for everyone of a present author who shows share cards, and no other post', () => {
  const open: string[] = []
  for (const { released, deleted, authorState } of states)
    for (const { type, isAgeLimited } of kinds)
      for (const showsShareCard of [true, false]) {
        const it = { released, deleted, authorState, type, isAgeLimited, showsShareCard }
        if (isOpen({ ...it, authorId: author.id, planIds: [plan] })) open.push(JSON.stringify(it))
      }
  const only = { released: true, deleted: false, authorState: 'present', type: 1, isAgeLimited: false }
  expect(open).toEqual([JSON.stringify({ ...only, showsShareCard: true })])
})

test('the entitlements of a member replace neither the id nor the age of the member', () => {
  const has = { ...plain, id: author.id, age: 30 }
  expect(viewerOf(young, has)).toEqual({ is: 'member', ...young, ...plain })
})

test('a type 2 post without plans is open only to its author', () => {
  const guarded = {
    authorId: author.id,
    type: 2,
    isAgeLimited: false,
    released: true,
    deleted: false,
    authorState: 'present',
    planIds: [],
  } as const
  const opened = Object.entries(table).filter(([, [[member, has]]]) => {
    return accessTo(viewerOf(member, { ...plain, ...has }), guarded).is === 'full'
  })
  expect(opened.map(([name]) => name)).toEqual(authors)
})

test('a post of an unknown type is open only to its author', () => {
  const guarded = {
    authorId: author.id,
    type: 4 as 1,
    isAgeLimited: false,
    released: true,
    deleted: false,
    authorState: 'present',
    planIds: [plan],
  } as const
  expect(accessTo(viewerOf(fan, { ...plain, ...both }), guarded)).toEqual({ is: 'hidden' })
})

test('access by memberships ends with the last of them, if all of them end', () => {
  const [first, last] = [new Date('2026-03-05T00:00:00Z'), new Date('2026-04-05T00:00:00Z')]
  expect(endOfAccess([{ endsAt: last }, { endsAt: first }])).toEqual(last)
  expect(endOfAccess([{ endsAt: last }, { endsAt: null }])).toBeNull()
  expect(endOfAccess([])).toBeNull()
})

test('title and introduction are open where a plan or a purchase is wanted, and follow the age limit', () => {
  const preview = (wants: 'sign_in' | 'plan' | 'purchase' | 'age'): PostAccess => ({ is: 'preview', wants })
  const shown = (access: PostAccess, isAgeLimited = false) => showsOpenTexts(access, { isAgeLimited })
  expect([
    shown(preview('plan'), true),
    shown(preview('purchase'), true),
    shown({ is: 'full' }, true),
  ]).toEqual([true, true, true])
  expect([shown(preview('age'), true), shown({ is: 'hidden' })]).toEqual([false, false])
  expect([shown(preview('sign_in')), shown(preview('sign_in'), true)]).toEqual([true, false])
})

test('a share card shows them of a post that visitors may know of, if its author shares', () => {
  const priced = {
    authorId: author.id,
    type: 3,
    isAgeLimited: false,
    released: true,
    deleted: false,
    authorState: 'present',
    planIds: [],
    showsShareCard: true,
  } as const
  expect(sharesOpenTexts(priced)).toBe(true)
  for (const change of [
    { showsShareCard: false },
    { isAgeLimited: true },
    { released: false },
    { deleted: true },
    { authorState: 'leaving' as const },
  ])
    expect(sharesOpenTexts({ ...priced, ...change })).toBe(false)
})
