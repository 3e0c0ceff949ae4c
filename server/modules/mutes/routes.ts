// Muting, taking it back, and the list of whom one has muted.
import type { FastifyInstance } from 'fastify'
import { listMutes, mutePerson, unmutePerson } from '#contract/people/mutes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { sayPeopleChanged } from '#server/http/live-socket.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { addMute, listMuted, removeMute } from '#server/store/people/mutes.ts'
import { accountState } from '#server/store/people/people.ts'
import { viewPeopleAt } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function muteRoutes(app: FastifyInstance, { db, clock, realtime, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)

  memberRoute(app, listMutes, async ({ viewer, query }) => {
    const rows = await listMuted(db, viewer.id, { after: placeOf(query.cursor), limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const people = await viewPeopleAt(db, shown, (state) => state === 'present')
    return {
      people: people.map(({ person, at }) => ({ ...person, muted_at: at })),
      next,
    }
  })

  memberRoute(
    app,
    mutePerson,
    async ({ viewer, params, request }) => {
      const { user_id } = params
      if (user_id === viewer.id) throw new ApiError('conflict')
      const hidden = (await blockedAmong(db, viewer.id, [user_id])).size > 0
      if (hidden || (await accountState(db, user_id)) !== 'present') throw new ApiError('not_found')
      await addMute(db, viewer.id, user_id, clock())
      // To their other devices: whom they mute never hears of it.
      sayPeopleChanged(realtime, request, viewer.id)
      return { data: { user_id, muted: true } }
    },
    { rateLimit },
  )

  memberRoute(
    app,
    unmutePerson,
    async ({ viewer, params, request }) => {
      await removeMute(db, viewer.id, params.user_id)
      sayPeopleChanged(realtime, request, viewer.id)
      return { data: { user_id: params.user_id, muted: false } }
    },
    { rateLimit },
  )
}
