// Routes of staff for people: search, a person's page, and acts on their sign-in.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  beginAccountRecovery,
  endPersonSessions,
  findPeople,
  MAX_FOUND,
  readPerson,
  readPersonEmail,
  removePersonPasskeys,
  removePersonSecondFactor,
} from '#contract/administration/people.ts'
import type { PersonActReason } from '#contract/administration/person-acts.ts'
import { id as idSchema } from '#contract/ids.ts'
import { fold } from '#contract/text/fold.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { searchFor, searchTermsOf } from '#server/rules/search-grams.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { findUser } from '#server/store/people/people.ts'
import { findByName, findNamed, type StaffFound } from '#server/store/staff/find-people.ts'
import { endSessionsOf, type PersonAct, removeFactorOfPerson, removePasskeysOfPerson } from './person-acts.ts'
import { foundView, personPage } from './person-page.ts'
import { beginRecovery } from './recovery.ts'

export function peopleOfStaffRoutes(app: FastifyInstance, deps: Deps): void {
  readingRoutes(app, deps)
  actRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit, clock } = deps
  memberRoute(app, findPeople, async ({ viewer, query, request }) => {
    const found = await searched(deps, query.q)
    const shown = found.slice(0, MAX_FOUND)
    const detail = { people: shown.map((it) => it.id) }
    const entry = { actorId: viewer.id, act: 'people.search', subjectKind: 'user', detail } as const
    await audit({ ...entry, subjectId: viewer.id, ip: request.ip })
    return { people: shown.map(foundView), more: found.length > MAX_FOUND }
  })

  memberRoute(app, readPerson, async ({ viewer, params, request }) => {
    const page = await personPage(deps, viewer, params.user_id)
    const entry = { actorId: viewer.id, act: 'person.read', subjectKind: 'user' } as const
    await audit({ ...entry, subjectId: page.id, ip: request.ip })
    return page
  })

  memberRoute(app, readPersonEmail, async ({ viewer, params, request }) => {
    validatedOf(viewer, clock())
    const user = await findUser(db, params.user_id)
    if (!user || user.deletedAt) throw new ApiError('not_found')
    const entry = { actorId: viewer.id, act: 'person.read_email', subjectKind: 'user' } as const
    await audit({ ...entry, subjectId: user.id, ip: request.ip })
    return { email: user.email }
  })
}

/** Whole ids, handles and addresses first, then names. */
async function searched({ db }: Deps, q: string): Promise<StaffFound[]> {
  const named = q.replace(/^[@＠]/, '').toLowerCase()
  const id = v.safeParse(idSchema, named)
  const exact = await findNamed(db, named, id.success ? id.output : undefined)
  const terms = searchTermsOf(q)
    .map((it) => ({ ...it, folded: it.folded.replace(/^@/, '') }))
    .filter((it) => it.folded !== '')
  const words = searchFor(terms)
  const isWhole = id.success || (exact.length > 0 && /[@＠]/.test(q))
  if (isWhole || !words) return exact
  const known = new Set(exact.map((it) => it.id))
  const byName = await findByName(
    db,
    { whole: fold(q), terms: terms.map((it) => it.folded), tsquery: words.tsquery },
    MAX_FOUND + 1,
  )
  return [...exact, ...byName.filter((it) => !known.has(it.id))]
}

interface ActCall {
  readonly viewer: Viewer
  readonly params: { readonly user_id: string }
  readonly body: { readonly reason: PersonActReason }
  readonly request: FastifyRequest
}

function actRoutes(app: FastifyInstance, deps: Deps): void {
  const validated = ({ viewer, params, body, request }: ActCall): PersonAct => {
    validatedOf(viewer, deps.clock())
    return { by: viewer.id, person: params.user_id, reason: body.reason, ip: request.ip }
  }
  memberRoute(app, endPersonSessions, async (call) => ({ data: await endSessionsOf(deps, validated(call)) }))
  memberRoute(app, removePersonSecondFactor, async (call) => ({
    data: await removeFactorOfPerson(deps, validated(call)),
  }))
  memberRoute(app, beginAccountRecovery, async ({ viewer, params, body, request }) => {
    validatedOf(viewer, deps.clock())
    const begin = { by: viewer.id, person: params.user_id, proof: body.proof, ip: request.ip }
    return { data: await beginRecovery(deps, begin) }
  })
  memberRoute(app, removePersonPasskeys, async (call) => ({
    data: await removePasskeysOfPerson(deps, validated(call)),
  }))
}
