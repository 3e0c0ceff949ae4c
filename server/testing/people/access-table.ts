// The access table: what each viewer sees of each post, compared with every reply.
import type { ExhibitName } from './gallery.ts'

/** Posts in the order of the table's cells; `video`, `draft` and `deleted` are priced. */
export const columns = [
  'open',
  'plan',
  'priced',
  'open18',
  'plan18',
  'priced18',
  'video',
  'draft',
  'deleted',
] as const satisfies readonly ExhibitName[]

/** `all`: everything. `-`: nothing. Otherwise the preview, with the required step. */
const table = {
  visitor: 'sign_in sign_in sign_in sign_in sign_in sign_in sign_in - -',
  member: 'all plan purchase all plan purchase purchase - -',
  follower: 'all plan purchase all plan purchase purchase - -',
  planMember: 'all all purchase all all purchase purchase - -',
  formerMember: 'all plan purchase all plan purchase purchase - -',
  buyer: 'all plan all all plan all all - -',
  refunded: 'all plan purchase all plan purchase purchase - -',
  paying: 'all plan purchase all plan purchase purchase - -',
  cardRefused: 'all plan purchase all plan purchase purchase - -',
  expired: 'all plan purchase all plan purchase purchase - -',
  everything: 'all all all all all all all - -',
  muter: 'all all all all all all all - -',
  blocked: '- - - - - - - - -',
  blocker: '- - - - - - - - -',
  young: 'all all all - - - all - -',
  hidesAgeLimited: 'all all all age age age all - -',
  admin: 'all plan purchase all plan purchase purchase - -',
  suspended: 'sign_in sign_in sign_in sign_in sign_in sign_in sign_in - -',
  author: 'all all all all all all all all -',
}

export type ViewerName = keyof typeof table
export const viewerNames = Object.keys(table) as ViewerName[]

/** The cell of a viewer and a post. */
export const cellOf = (viewer: ViewerName, post: ExhibitName): string =>
  table[viewer].split(' ')[columns.indexOf(post)] ?? '-'

/** Viewers with a plan or a purchase that opens posts of a kind. */
const withAll = ['everything', 'muter', 'young', 'hidesAgeLimited'] as const
const payers: Record<'plan' | 'priced' | 'video', readonly ViewerName[]> = {
  plan: ['planMember', ...withAll],
  priced: ['buyer', ...withAll],
  video: ['buyer', ...withAll],
}

/** The cell of a viewer and a post whose author is leaving or suspended: only who has paid for it sees it. */
export function cellOfAbsent(viewer: ViewerName, post: ExhibitName): string {
  const kind = post.replace('18', '')
  const paid = kind === 'plan' || kind === 'priced' || kind === 'video' ? payers[kind] : []
  return paid.includes(viewer) ? cellOf(viewer, post) : '-'
}

/** All lists of posts. Visitors receive `unauthenticated` from each. */
export const lists: readonly {
  readonly name: string
  readonly path: (authorId: string) => string
  /** Whether the list contains a post that is not hidden from this viewer. */
  readonly holds: (viewer: ViewerName, post: ExhibitName) => boolean
}[] = [
  { name: 'all posts', path: () => '/posts', holds: () => true },
  { name: 'an author’s posts', path: (id) => `/posts?author=${id}`, holds: () => true },
  {
    name: 'home, latest',
    path: () => '/feed/latest',
    holds: (viewer) => viewer !== 'muter',
  },
  {
    name: 'home, following',
    path: () => '/feed/following',
    holds: (viewer) => viewer === 'follower' || viewer === 'author',
  },
  {
    name: 'home, plans',
    path: () => '/feed/plans',
    holds: (viewer, post) =>
      post.startsWith('plan') && ['planMember', 'everything', 'young', 'hidesAgeLimited'].includes(viewer),
  },
  {
    name: 'search',
    path: () => `/search/posts?q=${encodeURIComponent('ひみつ')}`,
    // A search does not find words of a post that the viewer cannot read in full.
    holds: (viewer, post) => viewer !== 'muter' && cellOf(viewer, post) === 'all',
  },
]
