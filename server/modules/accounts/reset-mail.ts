// The link of a reset email, by which its recipient refuses or allows codes.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  allowResetMail,
  readResetMail,
  refuseResetMail,
  RESET_MAIL_MS,
  RESET_REFUSAL_MS,
} from '#contract/accounts/reset-mail.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField } from '#server/http/limit-keys.ts'
import { route } from '#server/http/route.ts'
import { findUserByEmail, type User } from '#server/store/people/people.ts'
import { allowCodes, refuseCodes, refusedUntil } from '#server/store/accounts/reset-refusals.ts'

const tokenContent = v.object({ email: v.string(), at: v.number() })

/** The URL in a reset email. Its token contains the sealed address, and no table stores it. */
export function resetMailUrl({ secrets, settings, clock }: Deps, email: string): string {
  const sealed = secrets.seal('reset-mail', Buffer.from(JSON.stringify({ email, at: clock() })))
  return `${settings.publicUrl}/forgot-password/mail#token=${sealed}`
}

/** The address that a token was sent to; undefined for any other text and for one that has expired. */
export function mailTokenEmail({ secrets, clock }: Deps, token: string): string | undefined {
  try {
    const { email, at } = v.parse(tokenContent, JSON.parse(secrets.open('reset-mail', token).toString()))
    return clock() - at < RESET_MAIL_MS ? email : undefined
  } catch {
    return undefined
  }
}

export function resetMailRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  const limit = { rateLimit: perBodyField(settings.limits.validation, 'token') }

  async function recipientOf(token: string): Promise<User> {
    const email = mailTokenEmail(deps, token)
    const user = email === undefined ? undefined : await findUserByEmail(db, email)
    if (!user) throw new ApiError('link_invalid')
    return user
  }
  const stateOf = async ({ id, email }: User) => ({
    email,
    refused_until: (await refusedUntil(db, id, clock()))?.toISOString() ?? null,
  })

  route(app, readResetMail, async ({ body }) => stateOf(await recipientOf(body.token)), limit)

  route(
    app,
    refuseResetMail,
    async ({ body }) => {
      const user = await recipientOf(body.token)
      await refuseCodes(db, user.id, clock() + RESET_REFUSAL_MS)
      return stateOf(user)
    },
    limit,
  )

  route(
    app,
    allowResetMail,
    async ({ body }) => {
      const user = await recipientOf(body.token)
      await allowCodes(db, user.id)
      return stateOf(user)
    },
    limit,
  )
}
