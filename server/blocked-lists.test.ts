// A block hides two people from each other in every reply.
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { newId } from '#contract/ids.ts'
import { addPost, call, type Member, postIdOf, signUp } from './testing/people/members.ts'
import { joinPlan } from './store/plans/plans.ts'
import { openWorld, type World } from './testing/world.ts'

interface Setup {
  readonly me: Member
  readonly other: Member
  /** A person whom both see. */
  readonly third: Member
  readonly postOfOther: string
  readonly postOfThird: string
  /** A comment by the third person on their own post, with a reply by the other person. */
  readonly comment: string
  /** A word that only these people have in their names and texts. */
  readonly word: string
}

interface Case {
  /** A reply that contains the other person. */
  readonly path: (setup: Setup) => string
  /** Prepares that reply. */
  readonly before?: (setup: Setup) => Promise<unknown>
  /** Whether the blocker still sees the blocked person in this reply. */
  readonly blockerSees?: true
}

const send = (world: World, as: Member, method: 'PUT' | 'DELETE' | 'POST', path: string) =>
  call(world, as, method, path)

const sendMessage = (from: Member, to: Member) =>
  call(world, from, 'POST', `/conversations/${to.id}/messages`, { id: newId(), content: 'こんにちは' })

/** The other person writes a comment with a blocked word below a post of the caller. */
async function heldCommentOf({ me, other }: Setup): Promise<void> {
  await call(world, me, 'POST', '/settings/words', { word: '黒い言葉' })
  const post = await published(me, '今日')
  const body = { id: newId(), content: '黒い言葉です', parent_id: null, answers_id: null }
  await call(world, other, 'POST', `/posts/${post}/comments`, body)
}

/** Makes a person a member of another's plan, which has the id of its creator. */
async function joinPlanOf(creator: Member, member: Member): Promise<void> {
  await world.database.executeSql(
    `insert into plans (id, creator_id, name, price, created_at) values ($1, $1, '応援', 500, now())
     on conflict do nothing`,
    [creator.id],
  )
  await joinPlan(world.deps.db, creator.id, member.id, world.clock.now)
}

let world: World
beforeAll(async () => {
  world = await openWorld()
  return () => world.close()
})

/** `nothing`: the reply has no data of another person. */
const cases: Record<string, Case | 'nothing'> = {
  getSecondFactor: 'nothing',
  listPosts: { path: ({ other }) => `/posts?author=${other.id}` },
  getPost: { path: ({ postOfOther }) => `/posts/${postOfOther}` },
  getBoughtVersion: 'nothing',
  listFeed: { path: () => '/feed/following' },
  getProfile: { path: ({ other }) => `/users/${other.id}`, blockerSees: true },
  listFollows: { path: ({ third }) => `/users/${third.id}/follows/followers` },
  suggestPeople: {
    path: () => '/people/suggested',
    before: async ({ me, other, third }) => {
      await send(world, me, 'DELETE', `/follows/${other.id}`)
      await send(world, third, 'PUT', `/follows/${other.id}`)
    },
  },
  listMutes: {
    path: () => '/mutes',
    before: ({ me, other }) => send(world, me, 'PUT', `/mutes/${other.id}`),
  },
  searchPosts: { path: ({ word }) => `/search/posts?q=${word}` },
  searchPeople: { path: ({ word }) => `/search/people?q=${word}` },
  suggestSearch: { path: ({ word }) => `/search/suggestions?q=${word}` },
  listComments: { path: ({ postOfThird }) => `/posts/${postOfThird}/comments` },
  listReplies: { path: ({ comment }) => `/comments/${comment}/replies` },
  listConversations: {
    path: () => '/conversations',
    before: ({ me, other }) => sendMessage(other, me),
  },
  getConversation: { path: ({ other }) => `/conversations/${other.id}` },
  // It has a time of the other person and no id.
  getPresence: 'nothing',
  listMessages: {
    path: ({ other }) => `/conversations/${other.id}/messages`,
    before: ({ me, other }) => sendMessage(other, me),
  },
  listMessageChanges: {
    path: ({ other }) => `/conversations/${other.id}/changes?after=0`,
    before: ({ me, other }) => sendMessage(other, me),
  },
  searchMessages: {
    path: () => `/messages/search?q=${encodeURIComponent('こんにちは')}`,
    before: ({ me, other }) => sendMessage(other, me),
  },
  // Texts for a report, also within 30 days of a block, without the person (reports/messages.test.ts).
  listReportableMessages: 'nothing',
  countUnreadMessages: 'nothing',
  listBroadcasts: 'nothing',
  countAudience: 'nothing',
  listNotifications: { path: () => '/notifications' },
  listPlanMembers: {
    path: ({ me }) => `/plans/${me.id}/members`,
    before: ({ me, other }) => joinPlanOf(me, other),
  },
  searchMembers: { path: () => '/members', before: ({ me, other }) => joinPlanOf(me, other) },
  getAnalytics: 'nothing',
  getPostAnalytics: 'nothing',
  listJoinedPlans: { path: () => '/plans/joined', before: ({ me, other }) => joinPlanOf(other, me) },
  getPlanOrder: {
    path: ({ other }) => `/plans/${other.id}/order`,
    before: ({ other, third }) => joinPlanOf(other, third),
  },
  // A block has ended or stopped the membership.
  getMembershipCard: 'nothing',
  getAllowance: 'nothing',
  getPayment: 'nothing',
  getPaymentReturn: 'nothing',
  listBlocks: 'nothing',
  getBlockEffects: 'nothing',
  countUnread: 'nothing',
  countBadge: 'nothing',
  getNotice: 'nothing',
  listBars: 'nothing',
  getNoticeSettings: 'nothing',
  listTrending: 'nothing',
  countNewer: 'nothing',
  checkHandle: 'nothing',
  getOwnPictures: 'nothing',
  listOwnReports: 'nothing',
  listOwnDecisions: 'nothing',
  listOwnHolds: 'nothing',
  listOwnWords: 'nothing',
  listHeldComments: {
    path: () => '/holds/comments',
    before: heldCommentOf,
  },
  getHealth: 'nothing',
  getLiveness: 'nothing',
  getReadiness: 'nothing',
  // The same reply for every caller.
  getAccountState: 'nothing',
  getOperator: 'nothing',
  getTransparency: 'nothing',
  getPushKey: 'nothing',
  getRegistration: 'nothing',
  getRealtime: 'nothing',
  getValidation: 'nothing',
  getSession: 'nothing',
  listSessions: 'nothing',
  listPasskeys: 'nothing',
  listOwnPlans: 'nothing',
  getDeletion: 'nothing',
  getExport: 'nothing',
  getIdentity: 'nothing',
  getOwnInfo: 'nothing',
  getNotificationSettings: 'nothing',
  getPrivacySettings: 'nothing',
  getStorage: 'nothing',
  // A purchase stays in the buyer's records with its seller; the post is not linked (payments/history.test.ts).
  listPayments: 'nothing',
  listPaymentFilters: 'nothing',
  listSurplusCharges: 'nothing',
  getReceipt: 'nothing',
  getBankAccount: 'nothing',
  getPayouts: 'nothing',
  // Sums and entries of the own sales, without their buyers.
  getSales: 'nothing',
  listSalesEntries: 'nothing',
  listStatements: 'nothing',
  getStatement: 'nothing',
  getSeller: {
    path: ({ other }) => `/users/${other.id}/seller`,
    before: ({ other, third }) => joinPlanOf(other, third),
  },
  getOwnSeller: 'nothing',
  // A record of who requested the own address, which a block must not hide (sellers/requests.test.ts).
  listSellerRequests: 'nothing',
  searchBanks: 'nothing',
  searchBranches: 'nothing',
}

const published = async (by: Member, word: string) => {
  const fields = [
    ['content', word],
    ['type', '1'],
  ] as const
  const id = postIdOf(await addPost(world, by, fields, newId()))
  await send(world, by, 'POST', `/post/release-uploaded/${id}`)
  return id
}

const addComment = async (by: Member, post: string, parent: string | null) => {
  const id = newId()
  const body = { id, content: 'こんにちは', ...(parent !== null && { parent_id: parent }) }
  await call(world, by, 'POST', `/posts/${post}/comments`, body)
  return id
}

let setupCount = 0

/** Signs up two people with every kind of relation, and a third whom both follow. */
async function openSetup(): Promise<Setup> {
  const word = `umibe${++setupCount}x`
  const [me, other, third] = [await signUp(world), await signUp(world), await signUp(world)]
  for (const it of [me, other])
    await call(world, it, 'PUT', '/profile', { name: word, handle: '', bio: '', links: [] })
  const [postOfOther, postOfThird] = [await published(other, word), await published(third, word)]
  for (const [one, two] of [
    [me, other],
    [other, me],
    [other, third],
    [me, third],
  ] as const)
    await send(world, one, 'PUT', `/follows/${two.id}`)
  const comment = await addComment(third, postOfThird, null)
  await addComment(other, postOfThird, null)
  await addComment(other, postOfThird, comment)
  return { me, other, third, postOfOther, postOfThird, comment, word }
}

test('the table has every endpoint that reads', () => {
  const reading = endpoints
    .filter((it) => it.method === 'GET' && !it.audience.startsWith('staff:'))
    .map((it) => it.name)
  expect(Object.keys(cases).toSorted()).toEqual(reading.toSorted())
})

describe.each(Object.entries(cases).filter(([, testCase]) => testCase !== 'nothing'))('%s', (_, entry) => {
  const testCase = entry as Case
  const sees = async (setup: Setup) => {
    const { body } = await call(world, setup.me, 'GET', testCase.path(setup))
    return body.includes(setup.other.id) || body.includes(setup.postOfOther)
  }

  test.each([
    ['the blocker', (it: Setup) => [it.me, it.other] as const],
    ['the blocked person', (it: Setup) => [it.other, it.me] as const],
  ])('%s does not see the other person until the block is removed', async (role, pair) => {
    const setup = await openSetup()
    await testCase.before?.(setup)
    expect(await sees(setup)).toBe(true)
    const [blocker, blocked] = pair(setup)
    await send(world, blocker, 'PUT', `/blocks/${blocked.id}`)
    expect(await sees(setup)).toBe(role === 'the blocker' && testCase.blockerSees === true)
    await send(world, blocker, 'DELETE', `/blocks/${blocked.id}`)
    // The follows ended with the block.
    await send(world, setup.me, 'PUT', `/follows/${setup.other.id}`)
    await testCase.before?.(setup)
    expect(await sees(setup)).toBe(true)
  })
})
