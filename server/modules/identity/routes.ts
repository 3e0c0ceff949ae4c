// Identity checks of a person: state, requested gestures, submission.
import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { newId, id as idSchema } from '#contract/ids.ts'
import {
  askPrompts,
  getIdentity,
  type IdentityState,
  PROMPTS_MS,
  submitIdentity,
} from '#contract/identity/identity.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import { choosePrompts } from '#server/rules/identity.ts'
import { type CheckRow, findLatestCheck } from '#server/store/identity/identity.ts'
import { replacePrompts } from '#server/store/identity/prompts.ts'
import { sentView, submitFlow } from './submit.ts'
import { mustBeFree, mustBeOfAge } from './standing.ts'

/** Each submission is read, hashed and encrypted, and few are needed. */
const SUBMISSIONS = { max: 30, timeWindow: 3_600_000 }

export function identityRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  // Where limits are off, for tests, these are too.
  const often = perPerson(settings.limits.general.max > 1e9 ? settings.limits.general : SUBMISSIONS)

  memberRoute(app, getIdentity, async ({ viewer }) => ({
    state: stateOf(await findLatestCheck(db, viewer.id)),
    // Every account has a confirmed address.
    email: { address: viewer.email, verified: true },
    age: { verified: ageOn(viewer.birthDate, clock()) >= MIN_AGE },
  }))

  memberRoute(
    app,
    askPrompts,
    async ({ viewer }) => {
      mustBeOfAge(viewer, clock())
      await mustBeFree(deps, viewer.id)
      const now = clock()
      const asked = {
        id: newId(),
        userId: viewer.id,
        prompts: choosePrompts(randomInt),
        createdAt: new Date(now),
        expiresAt: new Date(now + PROMPTS_MS),
      }
      await replacePrompts(db, asked)
      return { id: asked.id, prompts: asked.prompts, expires_at: asked.expiresAt.toISOString() }
    },
    { rateLimit: often },
  )

  memberRoute(
    app,
    submitIdentity,
    async ({ viewer, body, request }) => ({
      data: sentView(await submitFlow(deps, { person: viewer, key: keyOf(request), body })),
    }),
    { rateLimit: often },
  )
}

function stateOf(check: CheckRow | undefined): IdentityState {
  if (!check) return { is: 'none' }
  const at = check.decidedAt?.toISOString() ?? ''
  switch (check.state) {
    case 'submitted':
    case 'in_review':
      return { is: check.state, check: sentView(check) }
    case 'approved':
      return { is: 'approved', at }
    case 'rejected':
      return { is: 'rejected', check: sentView(check), at, reason: check.reason ?? 'other', note: check.note }
    default:
      return check.state satisfies never
  }
}

function keyOf(request: FastifyRequest): string {
  const parsed = v.safeParse(idSchema, request.headers['idempotency-key'])
  if (!parsed.success) throw new ApiError('invalid', { 'idempotency-key': 'malformed' })
  return parsed.output
}
