// Routes for muting, unmuting, and the list of muted people.
import type { FastifyInstance } from 'fastify'
import { listMutes, mutePerson, unmutePerson } from '#contract/people/mutes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { peopleChanged } from '#server/http/live-socket.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { addMute, listMuted, removeMute } from '#server/store/people/mutes.ts'
import { accountState } from '#server/store/people/people.ts'
import { toggleRoutes } from '#server/services/mutations/toggle-routes.ts'
import { viewPeopleAt } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function muteRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps

  memberRoute(app, listMutes, async ({ viewer, query }) => {
    const rows = await listMuted(db, viewer.id, { after: timeCursor.read(query.cursor), limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const people = await viewPeopleAt(db, shown, (state) => state === 'present')
    return {
      people: people.map(({ person, at }) => ({ ...person, muted_at: at })),
      next,
    }
  })

  toggleRoutes(app, deps, {
    on: mutePerson,
    off: unmutePerson,
    rateLimit: perPerson(settings.limits.relations),
    async mayTurnOn({ viewer, params: { user_id } }) {
      if (user_id === viewer.id) throw new ApiError('conflict')
      const hidden = (await blockedAmong(db, viewer.id, [user_id])).size > 0
      if (hidden || (await accountState(db, user_id)) !== 'present') throw new ApiError('not_found')
    },
    async turnOn({ tx, publish }, { viewer, params, request }) {
      await addMute(tx, viewer.id, params.user_id, clock())
      // Sent to the viewer's other pages only: the muted person is not notified.
      publish(peopleChanged(request, viewer.id))
    },
    async turnOff({ tx, publish }, { viewer, params, request }) {
      await removeMute(tx, viewer.id, params.user_id)
      publish(peopleChanged(request, viewer.id))
    },
    reply: async ({ params }, isOn) => ({ data: { user_id: params.user_id, muted: isOn } }),
  })
}
