// Muting, taking it back, and the list of whom one has muted.
import type { FastifyInstance } from 'fastify'
import { listMutes, mutePerson, unmutePerson } from '#contract/mutes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { pageOf, placeOf } from '#server/http/moment-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { apartFrom } from '#server/store/blocks.ts'
import { addMute, listMuted, removeMute } from '#server/store/mutes.ts'
import { accountState, findPeople } from '#server/store/people.ts'
import { personView } from '#server/views/person-view.ts'

const PAGE = 30

export function muteRoutes(app: FastifyInstance, { db, clock, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)

  memberRoute(app, listMutes, async ({ viewer, query }) => {
    const rows = await listMuted(db, viewer.id, { after: placeOf(query.cursor), limit: PAGE + 1 })
    const { shown, next } = pageOf(rows, PAGE)
    const ids = shown.map((row) => row.id)
    const people = await findPeople(db, ids)
    return {
      people: shown.flatMap((row) => {
        const person = people.get(row.id)
        return person?.state === 'present' ? [{ ...personView(person), muted_at: row.at.toISOString() }] : []
      }),
      next,
    }
  })

  memberRoute(
    app,
    mutePerson,
    async ({ viewer, params }) => {
      const { user_id } = params
      if (user_id === viewer.id) throw new ApiError('conflict')
      const hidden = (await apartFrom(db, viewer.id, [user_id])).size > 0
      if (hidden || (await accountState(db, user_id)) !== 'present') throw new ApiError('not_found')
      await addMute(db, viewer.id, user_id, clock())
      return { data: { user_id, muted: true } }
    },
    { rateLimit },
  )

  memberRoute(
    app,
    unmutePerson,
    async ({ viewer, params }) => {
      await removeMute(db, viewer.id, params.user_id)
      return { data: { user_id: params.user_id, muted: false } }
    },
    { rateLimit },
  )
}
