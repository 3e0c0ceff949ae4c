// Routes of blocks: the list, blocking and unblocking.
import type { FastifyInstance } from 'fastify'
import { blockPerson, getBlockEffects, listBlocks, unblockPerson } from '#contract/accounts/settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { peopleChanged } from '#server/http/live-socket.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { noteBetween } from '#server/store/memberships/notes.ts'
import { addBlock, listBlocked, removeBlock } from '#server/store/people/blocks.ts'
import { findPeople } from '#server/store/people/people.ts'
import { stopAfterBlock } from '#server/services/memberships/stop.ts'
import { toggleRoutes } from '#server/services/mutations/toggle-routes.ts'
import { viewPeopleAt } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function blockRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  memberRoute(app, listBlocks, async ({ viewer, query }) => {
    const rows = await listBlocked(db, viewer.id, { after: timeCursor.read(query.cursor), limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const people = await viewPeopleAt(db, shown, (state) => state !== 'gone')
    return {
      people: people.map(({ person, at }) => ({ ...person, blocked_at: at })),
      next,
    }
  })
  memberRoute(app, getBlockEffects, async ({ viewer, params: { user_id } }) => ({
    own: (await noteBetween(db, viewer.id, user_id)) ?? null,
    theirs: (await noteBetween(db, user_id, viewer.id)) ?? null,
  }))
  toggleRoutes(app, deps, {
    on: blockPerson,
    off: unblockPerson,
    rateLimit: perPerson(settings.limits.relations),
    async mayTurnOn({ viewer, params: { user_id } }) {
      if (user_id === viewer.id) throw new ApiError('conflict')
      const person = (await findPeople(db, [user_id])).get(user_id)
      if (!person || person.state === 'gone') throw new ApiError('not_found')
    },
    async turnOn(unit, { viewer, params: { user_id }, request }) {
      const { tx, publish, endConnections } = unit
      await addBlock(tx, viewer.id, user_id, clock())
      await stopAfterBlock(deps, unit, viewer.id, user_id)
      // Both people get the message before their channels are closed.
      for (const id of [viewer.id, user_id]) publish(peopleChanged(request, id))
      endConnections({ is: 'permissions', userIds: [viewer.id, user_id] })
    },
    async turnOff({ tx, publish }, { viewer, params: { user_id }, request }) {
      await removeBlock(tx, viewer.id, user_id)
      for (const id of [viewer.id, user_id]) publish(peopleChanged(request, id))
    },
    reply: async ({ params }, isOn) => ({ data: { user_id: params.user_id, blocked: isOn } }),
  })
}
