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

/** `all`: everything. `kept`: everything on its own page. `-`: nothing. Otherwise the preview, with the required step. */
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
  paidMember: 'all all purchase all all purchase purchase - -',
  pastDueMember: 'all all purchase all all purchase purchase - -',
  cancellingMember: 'all all purchase all all purchase purchase - -',
  includedMember: 'all all purchase all all purchase purchase - -',
  endedMember: 'all plan purchase all plan purchase purchase - -',
  refundedMember: 'all plan purchase all plan purchase purchase - -',
  joiningMember: 'all plan purchase all plan purchase purchase - -',
  closedPlanMember: 'all plan purchase all plan purchase purchase - -',
  blockedMember: '- - - - - - - - -',
  everything: 'all all all all all all all - -',
  muter: 'all all all all all all all - -',
  blocked: '- - kept - - kept kept - -',
  blocker: '- - kept - - kept kept - -',
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

/** Whether a cell opens content and files. */
export const isWhole = (cell: string): boolean => cell === 'all' || cell === 'kept'

/** The cell in lists, cards and comments, which leave out what is only kept. */
export function listedCellOf(viewer: ViewerName, post: ExhibitName): string {
  const cell = cellOf(viewer, post)
  return cell === 'kept' ? '-' : cell
}

/** Viewers to whom the plan is open. */
const ofPlan: ReadonlySet<ViewerName> = new Set([
  'planMember',
  'paidMember',
  'pastDueMember',
  'cancellingMember',
  'includedMember',
  'everything',
  'young',
  'hidesAgeLimited',
])

/** Viewers who bought the priced posts. */
const ofPosts: ReadonlySet<ViewerName> = new Set([
  'buyer',
  'everything',
  'muter',
  'young',
  'hidesAgeLimited',
  'blocked',
  'blocker',
])

/** The cell of a viewer and a post whose author is leaving or suspended: only who has paid for it sees it. */
export function cellOfAbsent(viewer: ViewerName, post: ExhibitName): string {
  const kind = post.replace('18', '')
  const isPaid = kind === 'plan' ? ofPlan.has(viewer) || viewer === 'muter' : ofPosts.has(viewer)
  return isPaid && kind !== 'open' ? cellOf(viewer, post) : '-'
}

/** The cell of a viewer and a post whose author's account is deleted: only who has bought it sees it. */
export function cellOfDeleted(viewer: ViewerName, post: ExhibitName): string {
  const cell = post.startsWith('plan') ? '-' : cellOfAbsent(viewer, post)
  return cell === 'all' ? 'kept' : cell
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
    holds: (viewer, post) => post.startsWith('plan') && ofPlan.has(viewer),
  },
  {
    name: 'search',
    path: () => `/search/posts?q=${encodeURIComponent('ひみつ')}`,
    // A search does not find words of a post that the viewer cannot read in full.
    holds: (viewer, post) => viewer !== 'muter' && cellOf(viewer, post) === 'all',
  },
]
