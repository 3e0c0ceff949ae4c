// Following, taking it back, and the lists of both.
import type { FastifyInstance } from 'fastify'
import { follow, listFollows, unfollow } from '#contract/people/follows.ts'
import type { Deps } from '#server/deps.ts'
import { commitInOrder } from '#server/services/mutations/sequence-number.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import {
  addFollow,
  followCountsOf,
  isFollowing,
  listFollowPlaces,
  removeFollow,
} from '#server/store/people/follows.ts'
import { accountState } from '#server/store/people/people.ts'
import { viewPeople } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function followRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, notifier, settings } = deps
  const rateLimit = perPerson(settings.limits.relations)
  const answer = async (viewerId: string, userId: string) => {
    const following = await isFollowing(db, viewerId, userId)
    const { followers } = await followCountsOf(db, userId)
    return { data: { user_id: userId, following, follower_count: followers } }
  }

  memberRoute(
    app,
    follow,
    async ({ viewer, params, request }) => {
      if (params.user_id === viewer.id) throw new ApiError('conflict')
      if ((await accountState(db, params.user_id)) !== 'present') throw new ApiError('not_found')
      const act = { name: 'follow', params } as const
      const followed = await commitInOrder(deps, { viewer, request }, act, async (tx, after) => {
        const it = await addFollow(tx, viewer.id, params.user_id, clock())
        if (it === 'created')
          await notifier.notify(tx, after, { is: 'follow', by: viewer.id, to: params.user_id })
        return it
      })
      if (followed === 'blocked') throw new ApiError('not_found')
      return answer(viewer.id, params.user_id)
    },
    { rateLimit },
  )

  memberRoute(
    app,
    unfollow,
    async ({ viewer, params, request }) => {
      const act = { name: 'unfollow', params } as const
      await commitInOrder(deps, { viewer, request }, act, async (tx, after) => {
        if (await removeFollow(tx, viewer.id, params.user_id))
          await notifier.retract(tx, after, { is: 'follow', by: viewer.id, to: params.user_id })
      })
      return answer(viewer.id, params.user_id)
    },
    { rateLimit },
  )

  memberRoute(app, listFollows, async ({ viewer, params, query }) => {
    const { user_id: of, list } = params
    const hidden = (await blockedAmong(db, viewer.id, [of])).size > 0
    if (hidden || (await accountState(db, of)) !== 'present') throw new ApiError('not_found')
    const after = placeOf(query.cursor)
    const rows = await listFollowPlaces(db, { of, list, viewerId: viewer.id, after, limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const ids = shown.map((row) => row.id)
    return { people: await viewPeople(db, viewer.id, ids), next }
  })
}
