// Recovery of people who cannot sign in: begun by staff, confirmed and stopped by email.
import type { FastifyInstance } from 'fastify'
import { confirmAccountRecovery, RECOVERY_MS, stopAccountRecovery } from '#contract/accounts/recovery.ts'
import type { RecoveryProof } from '#contract/administration/person-acts.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField } from '#server/http/limit-keys.ts'
import { route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { createFailures } from '#server/services/transaction/failures.ts'
import { removePasskeysOf } from '#server/store/accounts/passkeys.ts'
import {
  addRecovery,
  confirmRecovery,
  finishRecovery,
  listDueRecoveries,
  newestRecovery,
  recoveryState,
  removeRecoveriesBefore,
  stopRecoveriesOf,
  stopRecovery,
} from '#server/store/accounts/recoveries.ts'
import { removeFactor } from '#server/store/accounts/second-factor.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findUser } from '#server/store/people/people.ts'
import { endAllSessions, lockPersonFor } from './person-acts.ts'

/** Ended recoveries are retained for this long, ms; the audit log has them for good. */
const KEPT_MS = 30 * 24 * 3600_000

interface Begin {
  readonly by: string
  readonly person: string
  readonly proof: RecoveryProof
  readonly ip: string
}

/**
 * Sends the link to the account's address. A link that was sent before becomes invalid.
 * @throws ApiError as `lockPersonFor`; `conflict` for an account that cannot sign in anyway, and while one is confirmed;
 * `identity_required` for a proof by an identity check that the person does not have
 */
export function beginRecovery(deps: Deps, { by, person, proof, ip }: Begin): Promise<{ expires_at: string }> {
  const { transaction, clock, settings } = deps
  return transaction(async (unit) => {
    const { tx, email, audit } = unit
    const subject = await lockPersonFor(unit, by, person)
    if (!subject.active) throw new ApiError('conflict')
    if (proof === 'identity_check' && !(await isIdentified(tx, person)))
      throw new ApiError('identity_required')
    const now = clock()
    const newest = await newestRecovery(tx, person)
    if (newest && recoveryState(newest, now) === 'confirmed') throw new ApiError('conflict')
    await stopRecoveriesOf(tx, person, now)
    const [id, token, expires] = [newId(), newToken(), now + RECOVERY_MS]
    const row = { id, userId: person, begunBy: by, proof, tokenHash: hashToken(token) }
    await addRecovery(tx, { ...row, createdAt: new Date(now), expiresAt: new Date(expires) })
    const about = { subjectKind: 'user', subjectId: person } as const
    audit({ actorId: by, act: 'recovery.begin', ...about, detail: { recovery: id, proof }, ip })
    const url = `${settings.publicUrl}/user/account-recovery#token=${token}`
    await email({ email: subject.email, name: subject.name }, { is: 'recovery_begun', url, expires })
    return { expires_at: new Date(expires).toISOString() }
  })
}

export function recoveryRoutes(app: FastifyInstance, deps: Deps): void {
  const { transaction, clock, settings } = deps
  const limit = { rateLimit: perBodyField(settings.limits.validation, 'token') }

  route(
    app,
    confirmAccountRecovery,
    async ({ body, request }) =>
      transaction(async (unit) => {
        const [now, stop] = [clock(), newToken()]
        const due = now + RECOVERY_MS
        const given = { stopHash: hashToken(stop), dueAt: new Date(due), now }
        const found = await confirmRecovery(unit.tx, hashToken(body.token), given)
        const user = found && (await findUser(unit.tx, found.userId))
        if (!user || user.deletedAt) throw new ApiError('link_invalid')
        await endAllSessions(unit, user.id)
        const about = { actorId: user.id, subjectKind: 'user', subjectId: user.id } as const
        const detail = { recovery: found.id }
        unit.audit({ ...about, act: 'recovery.confirm', detail, ip: request.ip })
        const stopUrl = `${settings.publicUrl}/user/account-recovery#stop=${stop}`
        await unit.email({ email: user.email, name: user.name }, { is: 'recovery_confirmed', stopUrl, due })
        return { due_at: new Date(due).toISOString() }
      }),
    limit,
  )

  route(
    app,
    stopAccountRecovery,
    async ({ body, request }) =>
      transaction(async ({ tx, audit }) => {
        const found = await stopRecovery(tx, hashToken(body.token), clock())
        if (!found) throw new ApiError('link_invalid')
        const about = { actorId: found.userId, subjectKind: 'user', subjectId: found.userId } as const
        audit({ ...about, act: 'recovery.stop', detail: { recovery: found.id }, ip: request.ip })
        return { stopped: true as const }
      }),
    limit,
  )
}

/** The hourly sweep: removes passkeys and second factors of recoveries whose waiting time is over. */
export async function sweepRecoveries(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const failures = createFailures('recovery')
  for (const id of await listDueRecoveries(db, clock())) await failures.attempt(id, () => finish(deps, id))
  await removeRecoveriesBefore(db, clock() - KEPT_MS)
  failures.report()
}

async function finish({ transaction, clock }: Deps, id: string): Promise<void> {
  await transaction(async ({ tx, email, audit }) => {
    const found = await finishRecovery(tx, id, clock())
    const user = found && (await findUser(tx, found.userId))
    if (!user || user.deletedAt) return
    const passkeys = await removePasskeysOf(tx, user.id)
    const factors = await removeFactor(tx, user.id)
    const about = { actorId: NO_ID, subjectKind: 'user', subjectId: user.id } as const
    audit({ ...about, act: 'recovery.finish', detail: { recovery: id, passkeys, factors }, ip: '' })
    await email({ email: user.email, name: user.name }, { is: 'recovery_done', at: clock() })
  })
}
