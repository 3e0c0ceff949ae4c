// The notices of the sandbox providers: written to the database, then sent over HTTP.
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { noticeSecretOf, webhookSecretsOf } from '#server/services/payments/identifiers.ts'
import { noticeEnd } from '#server/services/payments/providers.ts'
import {
  addSandboxNotice,
  listDueNotices,
  listHeldNotices,
  type SandboxCharge,
  type SandboxName,
  type SandboxNotice,
  type SandboxRecurring,
  setNoticeSent,
} from '#server/store/payments/sandbox.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'
import { type ChargeResult, type ReportedCharge, wireOf } from './wire.ts'

/** A notice that gets no answer within this time has failed, ms. */
const TIMEOUT = 10_000
/** A job sends what was not sent by then, s. */
const RETRY_AFTER = 30

/** Writes the notice of a result as the behaviour says. @returns whether it is to be sent at once */
export const writeNotice = (deps: Deps, charge: ReportedCharge, result: ChargeResult): Promise<boolean> =>
  write(deps, charge, (behaviour) => wireOf(charge.provider).result(charge, result, behaviour))

/** Writes the notice that a recurring charge was stopped. */
export function writeStop(
  deps: Deps,
  recurring: SandboxRecurring,
  by: 'provider' | 'buyer',
): Promise<boolean> {
  const { provider } = recurring
  return write(deps, { provider, chargeRef: '' }, () => wireOf(provider).stopped(recurring, by))
}

/** Writes the notice that money of a charge was taken back. */
export const writeTakenBack = (
  deps: Deps,
  charge: SandboxCharge,
  is: 'refunded' | 'disputed',
): Promise<boolean> => write(deps, charge, () => wireOf(charge.provider).takenBack(charge, is))

async function write(
  deps: Deps,
  about: { readonly provider: SandboxName; readonly chargeRef: string },
  payloadBy: (behaviour: Behaviour) => string | undefined,
): Promise<boolean> {
  return deps.transaction(async ({ tx, enqueue }) => {
    const behaviour = await behaviourOf(tx)
    const payload = behaviour.lose ? undefined : payloadBy(behaviour)
    if (payload === undefined) return false
    const now = deps.clock()
    const dueAt = behaviour.reorder ? null : new Date(now + behaviour.delay * 1000)
    const { copies, delay } = behaviour
    const { provider, chargeRef } = about
    const created = { id: newId(), provider, chargeRef, payload, copies, createdAt: new Date(now) }
    await addSandboxNotice(tx, { ...created, dueAt, sentAt: null })
    // Also for a notice that is sent at once: it may fail, and this process may stop before it.
    if (!behaviour.reorder) await enqueue('payment-sandbox.notices', {}, { seconds: delay || RETRY_AFTER })
    return delay === 0
  })
}

/**
 * Sends the notices that are due. Of notices that are held back, two or more are sent, the newest first.
 * @throws when this server does not answer with success; the notice is then sent again later
 */
export async function sendNotices(deps: Deps): Promise<void> {
  const held = await listHeldNotices(deps.db)
  const released = held.length > 1 ? held : []
  for (const it of [...released, ...(await listDueNotices(deps.db, deps.clock()))]) await send(deps, it)
}

async function send(deps: Deps, { id, provider, payload, copies }: SandboxNotice): Promise<void> {
  const secret = noticeSecretOf(deps.secrets, deps.settings.payments.noticePath)
  const { query, init } = wireOf(provider).call(payload, webhookSecretsOf(deps.secrets)[0], deps.clock())
  // Another machine would send it to the public address, which may not lead here from this one.
  const server = deps.listening.at || deps.settings.publicUrl
  const end = noticeEnd(deps.paymentProviders, { name: provider })
  const url = `${server}${PAYMENT_NOTICES_PATH}/${secret}${end}${query}`
  const requests = Array.from({ length: copies }, () =>
    fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) }),
  )
  for (const reply of await Promise.all(requests)) {
    if (!reply.ok) throw new Error(`the notice of the sandbox was answered with ${reply.status}`)
  }
  await setNoticeSent(deps.db, id, deps.clock())
}
