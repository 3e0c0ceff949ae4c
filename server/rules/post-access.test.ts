// The access policy over every combination of viewer and post.
import { describe, expect, test } from 'vitest'
import { accessTo, type GuardedPost, type PostAccess, type PostViewer } from './post-access.ts'

const author = 'author'
const plan = 'plan-a'

const nobody = {
  is: 'member',
  id: 'someone',
  age: 30,
  joinedPlans: new Set<string>(),
  bought: false,
  showsAgeLimited: true,
  apart: false,
} as const
const viewers: Record<string, PostViewer> = {
  visitor: { is: 'visitor' },
  member: nobody,
  'member of another plan': { ...nobody, joinedPlans: new Set(['plan-z']) },
  'plan member': { ...nobody, joinedPlans: new Set([plan]) },
  buyer: { ...nobody, bought: true },
  'plan member who bought': { ...nobody, joinedPlans: new Set([plan]), bought: true },
  'member of 17': { ...nobody, age: 17 },
  'plan member of 17 who bought': { ...nobody, age: 17, joinedPlans: new Set([plan]), bought: true },
  'member of 18': { ...nobody, age: 18 },
  'member who hides age-limited': { ...nobody, showsAgeLimited: false },
  'plan member who bought and hides age-limited': {
    ...nobody,
    joinedPlans: new Set([plan]),
    bought: true,
    showsAgeLimited: false,
  },
  'member of 17 who hides age-limited': { ...nobody, age: 17, showsAgeLimited: false },
  'member apart from the author': { ...nobody, apart: true },
  'plan member who bought, apart from the author': {
    ...nobody,
    joinedPlans: new Set([plan]),
    bought: true,
    apart: true,
  },
  author: { ...nobody, id: author },
  'author who hides age-limited': { ...nobody, id: author, showsAgeLimited: false },
  'author of 17': { ...nobody, id: author, age: 17 },
}

const full: PostAccess = { is: 'full' }
const hidden: PostAccess = { is: 'hidden' }
const wants = (it: 'sign_in' | 'plan' | 'purchase' | 'age'): PostAccess => ({ is: 'preview', wants: it })

/** The policy said a second way: as lists of who may, not as a chain of questions. */
function expected(name: string, post: GuardedPost): PostAccess {
  const own = name.startsWith('author')
  if (post.deleted) return hidden
  if (post.authorState === 'leaving' || post.authorState === 'gone') return hidden
  if (own) return full
  if (!post.released) return hidden
  if (name.includes('apart')) return hidden
  if (post.isAgeLimited && name.includes('17')) return hidden
  if (post.isAgeLimited && name.includes('hides age-limited')) return wants('age')
  if (post.isAgeLimited && name === 'visitor') return wants('sign_in')
  const opened = {
    1: Object.keys(viewers),
    2: [
      'plan member',
      'plan member who bought',
      'plan member of 17 who bought',
      'plan member who bought and hides age-limited',
    ],
    3: [
      'buyer',
      'plan member who bought',
      'plan member of 17 who bought',
      'plan member who bought and hides age-limited',
    ],
  }[post.type]
  if (opened.includes(name)) return full
  return wants(post.type === 2 ? 'plan' : 'purchase')
}

const posts = ([1, 2, 3] as const).flatMap((type) =>
  [false, true].flatMap((isAgeLimited) =>
    [false, true].flatMap((released) =>
      [false, true].flatMap((deleted) =>
        (['present', 'leaving', 'gone'] as const).map((authorState) => ({
          authorId: author,
          type,
          isAgeLimited,
          released,
          deleted,
          authorState,
          planIds: [plan],
        })),
      ),
    ),
  ),
)

describe.each(posts)(
  'type $type, age-limited $isAgeLimited, released $released, deleted $deleted, author $authorState',
  (post) => {
    test.each(Object.keys(viewers))('%s', (name) => {
      const viewer = viewers[name]
      expect(viewer && accessTo(viewer, post)).toEqual(expected(name, post))
    })
  },
)

test('a type 2 post without plans opens to nobody but its author', () => {
  const post = {
    authorId: author,
    type: 2,
    isAgeLimited: false,
    released: true,
    deleted: false,
    authorState: 'present',
    planIds: [],
  } as const
  const outcomes = Object.entries(viewers).map(([name, viewer]) => [name, accessTo(viewer, post).is])
  expect(outcomes.filter(([, is]) => is === 'full').map(([name]) => name)).toEqual([
    'author',
    'author who hides age-limited',
    'author of 17',
  ])
})
