// Routes for following, unfollowing, and the lists of followers and followed people.
import type { FastifyInstance } from 'fastify'
import { follow, listFollows, unfollow } from '#contract/people/follows.ts'
import type { Deps } from '#server/deps.ts'
import { spendFollow } from '#server/services/holds/pace.ts'
import { toggleRoutes } from '#server/services/mutations/toggle-routes.ts'
import { retractNotification } from '#server/services/notifications/notify.ts'
import { spendLimit } from '#server/services/runtime/limits.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import {
  addFollow,
  followStateOf,
  isFollowing,
  listFollowPlaces,
  removeFollow,
} from '#server/store/people/follows.ts'
import { accountState } from '#server/store/people/people.ts'
import { viewPeople } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function followRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps

  toggleRoutes(app, deps, {
    on: follow,
    off: unfollow,
    rateLimit: perPerson(settings.limits.relations),
    async mayTurnOn({ viewer, params }) {
      if (params.user_id === viewer.id) throw new ApiError('conflict')
      if ((await accountState(db, params.user_id)) !== 'present') throw new ApiError('not_found')
      if (!(await isFollowing(db, viewer.id, params.user_id))) {
        await spendFollow(deps, viewer.id)
        await spendLimit(deps, 'follows_per_hour', viewer.id)
      }
    },
    async turnOn({ tx, notify }, { viewer, params }) {
      const outcome = await addFollow(tx, viewer.id, params.user_id, clock())
      if (outcome === 'created') await notify({ is: 'follow', by: viewer.id, to: params.user_id })
      return outcome === 'blocked' ? 'not_found' : undefined
    },
    async turnOff(unit, { viewer, params }) {
      if (await removeFollow(unit.tx, viewer.id, params.user_id))
        await retractNotification(unit, { is: 'follow', by: viewer.id, to: params.user_id })
    },
    async reply({ viewer, params }) {
      const { followers, version, following } = await followStateOf(db, params.user_id, viewer.id)
      return { data: { user_id: params.user_id, following, follower_count: followers, version } }
    },
  })

  memberRoute(app, listFollows, async ({ viewer, params, query }) => {
    const { user_id: userId, list } = params
    const hidden = (await blockedAmong(db, viewer.id, [userId])).size > 0
    if (hidden || (await accountState(db, userId)) !== 'present') throw new ApiError('not_found')
    const after = timeCursor.read(query.cursor)
    const rows = await listFollowPlaces(db, { of: userId, list, viewerId: viewer.id, after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const ids = shown.map((row) => row.id)
    return { people: await viewPeople(db, viewer.id, ids), next }
  })
}
