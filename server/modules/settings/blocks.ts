// Blocking, taking it back, and the list of whom one has blocked.
import type { FastifyInstance } from 'fastify'
import { blockPerson, listBlocks, unblockPerson } from '#contract/accounts/settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { sayPeopleChanged } from '#server/http/live-socket.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { addBlock, listBlocked, removeBlock } from '#server/store/people/blocks.ts'
import { findPeople } from '#server/store/people/people.ts'
import { viewPeopleAt } from '#server/services/people/listed-people.ts'

const PAGE = 30

export function blockRoutes(app: FastifyInstance, { db, clock, realtime, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)
  memberRoute(app, listBlocks, async ({ viewer, query }) => {
    const rows = await listBlocked(db, viewer.id, { after: placeOf(query.cursor), limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const people = await viewPeopleAt(db, shown, (state) => state !== 'gone')
    return {
      people: people.map(({ person, at }) => ({ ...person, blocked_at: at })),
      next,
    }
  })
  memberRoute(
    app,
    blockPerson,
    async ({ viewer, params, request }) => {
      const { user_id } = params
      if (user_id === viewer.id) throw new ApiError('conflict')
      const person = (await findPeople(db, [user_id])).get(user_id)
      if (!person || person.state === 'gone') throw new ApiError('not_found')
      await addBlock(db, viewer.id, user_id, clock())
      // Both read again, before what they may no longer hear is taken from them.
      sayPeopleChanged(realtime, request, viewer.id, user_id)
      realtime.end([{ is: 'standing', userIds: [viewer.id, user_id] }])
      return { data: { user_id, blocked: true } }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unblockPerson,
    async ({ viewer, params, request }) => {
      await removeBlock(db, viewer.id, params.user_id)
      sayPeopleChanged(realtime, request, viewer.id, params.user_id)
      return { data: { user_id: params.user_id, blocked: false } }
    },
    { rateLimit },
  )
}
