// Blocking, taking it back, and the list of whom one has blocked.
import type { FastifyInstance } from 'fastify'
import { blockPerson, listBlocks, unblockPerson } from '#contract/settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { addBlock, listBlocked, removeBlock } from '#server/store/blocks.ts'
import { findPeople } from '#server/store/people.ts'
import { personView } from '#server/views/person-view.ts'

const PAGE = 30

export function blockRoutes(app: FastifyInstance, { db, clock, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)
  memberRoute(app, listBlocks, async ({ viewer, query }) => {
    const rows = await listBlocked(db, viewer.id, { after: placeOf(query.cursor), limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const ids = shown.map((row) => row.id)
    const people = await findPeople(db, ids)
    return {
      people: shown.flatMap((row) => {
        const person = people.get(row.id)
        const there = person && person.state !== 'gone'
        return there ? [{ ...personView(person), blocked_at: row.at.toISOString() }] : []
      }),
      next,
    }
  })
  memberRoute(
    app,
    blockPerson,
    async ({ viewer, params }) => {
      const { user_id } = params
      if (user_id === viewer.id) throw new ApiError('conflict')
      const person = (await findPeople(db, [user_id])).get(user_id)
      if (!person || person.state === 'gone') throw new ApiError('not_found')
      await addBlock(db, viewer.id, user_id, clock())
      return { data: { user_id, blocked: true } }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unblockPerson,
    async ({ viewer, params }) => {
      await removeBlock(db, viewer.id, params.user_id)
      return { data: { user_id: params.user_id, blocked: false } }
    },
    { rateLimit },
  )
}
