// Routes of people: profiles, changes of the viewer's profile, free handles and suggestions.
import type { FastifyInstance } from 'fastify'
import { changeProfile, checkHandle, getProfile, suggestPeople } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { reservedReason } from '#server/rules/reserved-names.ts'
import { handleOwner, setProfile } from '#server/store/people/profiles.ts'
import type { Db } from '#server/store/database.ts'
import { listSuggested, suggestableNow } from '#server/store/people/relations.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import { viewPeople } from '#server/services/people/listed-people.ts'
import { reservedFor } from '#server/services/people/reserved-names.ts'
import { pictureRoutes } from './pictures.ts'
import { viewProfile } from './view.ts'

/** How many people are suggested at once. */
const SUGGESTED = 12

export function peopleRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads, clock, settings, transaction } = deps
  const { limits } = settings

  memberRoute(app, getProfile, async ({ params, request }) => {
    const view = await viewProfile(deps, request, params.user_id, clock())
    if (!view) throw new ApiError('not_found')
    return view
  })

  memberRoute(app, suggestPeople, async ({ viewer, request }) => {
    const suggest = (either: Db) => listSuggested(either, viewer.id, SUGGESTED)
    const ids = await reads.page(request, {
      find: suggest,
      async check(found) {
        const now = await suggestableNow(db, viewer.id, found)
        return found.filter((it) => now.has(it))
      },
      whole: () => suggest(db),
    })
    return { people: await viewPeople(db, viewer.id, ids) }
  })

  memberRoute(
    app,
    changeProfile,
    async ({ viewer, body, request }) => {
      const handle = body.handle === '' ? null : body.handle
      const profile = { ...body, handle }
      const reserved = await reservedFor(db, viewer, profile)
      if (reserved) throw new ApiError('invalid', reserved)
      await transaction(async ({ tx }) => {
        if (!(await setProfile(tx, viewer.id, profile))) throw new ApiError('invalid', { handle: 'taken' })
        await reindexPerson(tx, viewer.id)
      })
      const view = await viewProfile(deps, request, viewer.id, clock())
      if (!view) throw new ApiError('not_found')
      return view
    },
    { rateLimit: perPerson(limits.profile) },
  )

  memberRoute(
    app,
    checkHandle,
    async ({ viewer, query }) => {
      const owner = await handleOwner(db, query.handle)
      const reserved =
        viewer.role !== 'admin' && owner !== viewer.id && reservedReason(query.handle) !== undefined
      return { free: !reserved && (owner === undefined || owner === viewer.id), reserved }
    },
    { rateLimit: perPerson(limits.handles) },
  )

  pictureRoutes(app, deps)
}
