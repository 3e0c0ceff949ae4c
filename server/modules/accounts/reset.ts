// A forgotten password: a code by mail, a token for the right one, a new password (specification section 2).
import type { FastifyInstance } from 'fastify'
import { askReset, checkResetCode, RESET_MS, resetPassword } from '#contract/password.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { emailKey, perBodyField, perEmail } from '#server/http/limits.ts'
import { networkBudget } from '#server/http/network-budget.ts'
import { patience } from '#server/http/patience.ts'
import { resetIdOf, resetTokenOf } from '#server/http/reset-token.ts'
import { route } from '#server/http/route.ts'
import { takeReset, tryResetCode, verifyMailCode } from '#server/store/mail-codes.ts'
import { judge } from './mail-code.ts'
import { putPassword } from './put-password.ts'

export function resetRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, jobs, passwords, secrets, settings } = deps
  const letters = networkBudget(deps.counts, 'letters', settings.limits.lettersOfNetwork)
  const tries = patience(deps.counts, settings.limits, 'reset')

  route(
    app,
    askReset,
    async ({ body, request }) => {
      await letters.spend(request)
      // Whether anybody has the address is looked up by the job, after the answer.
      await jobs.enqueue(db, 'reset.letter', { sealed: secrets.seal('address', Buffer.from(body.email)) })
      jobs.wake('reset.letter')
      return { sent: true as const }
    },
    { rateLimit: perEmail(settings.limits.letters) },
  )

  route(
    app,
    checkResetCode,
    async ({ body, request }) => {
      const whose = emailKey(request)
      await tries.wait(request, whose)
      const row = await tryResetCode(db, body.email)
      const { right, alive } = judge(deps, row, body.code)
      // Only who has the very code learns that it is over: a stranger's guess looks the same for every address.
      if (!row || !right) throw new ApiError('code_wrong')
      if (!alive || !(await verifyMailCode(db, row.id, clock()))) throw new ApiError('code_expired')
      await tries.forgive(request, whose)
      return { password_reset_token: resetTokenOf(secrets, row.id) }
    },
    { rateLimit: perEmail(settings.limits.signIn) },
  )

  route(
    app,
    resetPassword,
    async ({ body }) => {
      const resetId = resetIdOf(secrets, body.password_reset_token)
      if (resetId === undefined) throw new ApiError('link_invalid')
      const passwordHash = await passwords.hash(body.password)
      await deps.commit(async (tx, after) => {
        const userId = await takeReset(tx, resetId, clock() - RESET_MS, clock())
        if (userId === undefined) throw new ApiError('link_invalid')
        await putPassword(deps, tx, after, { userId, passwordHash, resetId })
      })
      return { changed: true as const }
    },
    { rateLimit: perBodyField(settings.limits.validation, 'password_reset_token') },
  )
}
