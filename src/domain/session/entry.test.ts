// Which viewer may open which page.
import type { Role } from '#contract/administration/role-names.ts'
import { expect, test } from 'vitest'
import { entryOf, type Access } from './entry.ts'

const person = (role: Role) =>
  ({
    is: 'authenticated',
    user: { id: '0190f0a8-0000-7000-8000-000000000000', email: '', name: '', avatar_url: null, role },
  }) as const
const viewers = {
  visitor: { is: 'unauthenticated' },
  member: person('member'),
  admin: person('admin'),
  moderator: person('moderator'),
} as const

test.each([
  ['open', 'visitor', 'enter'],
  ['open', 'member', 'enter'],
  ['open', 'admin', 'enter'],
  ['guest', 'visitor', 'enter'],
  ['guest', 'member', 'home'],
  ['guest', 'admin', 'home'],
  ['member', 'visitor', 'sign-in'],
  ['member', 'member', 'enter'],
  ['member', 'admin', 'enter'],
  // For others the page does not exist.
  ['staff', 'visitor', 'not-found'],
  ['staff', 'member', 'not-found'],
  ['staff', 'admin', 'enter'],
  ['staff', 'moderator', 'enter'],
] as const satisfies readonly (readonly [Access, keyof typeof viewers, string])[])(
  'a page for %s, a %s: %s',
  (access, who, entry) => {
    expect(entryOf(access, viewers[who])).toBe(entry)
  },
)
