// Routes of a person's identity checks: state, requested gestures, submission.
import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { newId, id as idSchema } from '#contract/ids.ts'
import {
  requestPrompts,
  getIdentity,
  type IdentityState,
  PROMPTS_MS,
  submitIdentity,
} from '#contract/identity/identity.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { choosePrompts } from '#server/rules/identity.ts'
import { type CheckRow, findLatestCheck } from '#server/store/identity/identity.ts'
import { replacePrompts } from '#server/store/identity/prompts.ts'
import { missingNames, requireMinAge, requireNoCurrentCheck } from './eligibility.ts'
import { checkView, submitCheck } from './submit.ts'

/** Each submission is read, hashed and encrypted, and few are needed. */
const SUBMISSION_LIMIT = { max: 30, timeWindow: 3_600_000 }

export function identityRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  // Tests without limits have none of these either.
  const rateLimit = perPerson(settings.limits.general.max > 1e9 ? settings.limits.general : SUBMISSION_LIMIT)

  memberRoute(app, getIdentity, async ({ viewer }) => ({
    state: stateOf(await findLatestCheck(db, viewer.id)),
    legal_name: { given: (await missingNames(deps, viewer.id)).length === 0 },
    // Every account has a confirmed address.
    email: { address: viewer.email, verified: true },
    age: { verified: ageOn(viewer.birthDate, clock()) >= MIN_AGE },
  }))

  memberRoute(
    app,
    requestPrompts,
    async ({ viewer }) => {
      requireMinAge(viewer, clock())
      await requireNoCurrentCheck(deps, viewer.id)
      const now = clock()
      const prompts = {
        id: newId(),
        userId: viewer.id,
        prompts: choosePrompts(randomInt),
        createdAt: new Date(now),
        expiresAt: new Date(now + PROMPTS_MS),
      }
      await replacePrompts(db, prompts)
      return { id: prompts.id, prompts: prompts.prompts, expires_at: prompts.expiresAt.toISOString() }
    },
    { rateLimit },
  )

  memberRoute(
    app,
    submitIdentity,
    async ({ viewer, body, request }) => ({
      data: checkView(await submitCheck(deps, { person: viewer, key: keyOf(request), body })),
    }),
    { rateLimit },
  )
}

function stateOf(check: CheckRow | undefined): IdentityState {
  if (!check) return { is: 'none' }
  const at = check.decidedAt?.toISOString() ?? ''
  switch (check.state) {
    case 'submitted':
    case 'in_review':
      return { is: check.state, check: checkView(check) }
    case 'approved':
      return { is: 'approved', at }
    case 'rejected':
      return {
        is: 'rejected',
        check: checkView(check),
        at,
        reason: check.reason ?? 'other',
        note: check.note,
      }
    default:
      return check.state satisfies never
  }
}

function keyOf(request: FastifyRequest): string {
  const parsed = v.safeParse(idSchema, request.headers['idempotency-key'])
  if (!parsed.success) throw new ApiError('invalid', { 'idempotency-key': 'malformed' })
  return parsed.output
}
