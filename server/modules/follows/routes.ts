// Following, taking it back, and the lists of both.
import type { FastifyInstance } from 'fastify'
import { follow, listFollows, unfollow } from '#contract/follows.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { apartFrom } from '#server/store/blocks.ts'
import { addFollow, followCountsOf, listFollowPlaces, removeFollow } from '#server/store/follows.ts'
import { accountState } from '#server/store/people.ts'
import { viewPeople } from '#server/views/listed-people.ts'

const PAGE = 30

export function followRoutes(app: FastifyInstance, { db, clock, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)
  const answer = async (userId: string, following: boolean) => ({
    data: { user_id: userId, following, follower_count: (await followCountsOf(db, userId)).followers },
  })

  memberRoute(
    app,
    follow,
    async ({ viewer, params }) => {
      if (params.user_id === viewer.id) throw new ApiError('conflict')
      if ((await accountState(db, params.user_id)) !== 'present') throw new ApiError('not_found')
      if (!(await addFollow(db, viewer.id, params.user_id, clock()))) throw new ApiError('not_found')
      return answer(params.user_id, true)
    },
    { rateLimit },
  )

  memberRoute(
    app,
    unfollow,
    async ({ viewer, params }) => {
      await removeFollow(db, viewer.id, params.user_id)
      return answer(params.user_id, false)
    },
    { rateLimit },
  )

  memberRoute(app, listFollows, async ({ viewer, params, query }) => {
    const { user_id: of, list } = params
    const hidden = (await apartFrom(db, viewer.id, [of])).size > 0
    if (hidden || (await accountState(db, of)) !== 'present') throw new ApiError('not_found')
    const after = placeOf(query.cursor)
    const rows = await listFollowPlaces(db, { of, list, viewerId: viewer.id, after, limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const ids = shown.map((row) => row.id)
    return { people: await viewPeople(db, viewer.id, ids), next }
  })
}
