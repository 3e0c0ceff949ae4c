// What the machine page checks: database, store, Redis, mail, push, payments and sandbox.
import type { CheckName } from '#contract/administration/machine.ts'
import type { Deps } from '#server/deps.ts'
import { lastPaymentNotice } from '#server/store/staff/machine.ts'
import type { CheckWork, Outcome } from './checks.ts'
import { causeOf, detailOf } from './cause.ts'
import { isPractice, practiceNames } from '#server/services/payments/providers.ts'
import { countPaidBy } from '#server/store/payments/charges.ts'
import { listProvidersInUse } from '#server/store/payments/providers-in-use.ts'
import { findMediaSandbox } from '#server/services/media/sandbox-state.ts'

const OFF: Outcome = { state: 'off', reason: 'off', reads: true }

/** From so many pushes on, more failed ones than sent ones are a failure. */
const MIN_PUSHES = 3

async function databaseWork({ database }: Deps): Promise<Outcome | void> {
  await database.ping()
  const damage = database.damage?.()
  if (damage !== undefined) return { state: 'failing', reason: 'damaged', detail: damage }
  const standings = database.replicas?.figures().map((it) => it.standing)
  if (standings) return { state: 'ok', reason: null, detail: `replicas: ${standings.join(', ')}` }
}

async function storeWork({ storage }: Deps): Promise<Outcome | void> {
  await storage.objects.probe()
  if (await storage.room.isLow()) return { state: 'failing', reason: 'low_room' }
}

async function pushWork({ meters, push }: Deps): Promise<Outcome> {
  if (push.publicKey === '') return OFF
  const all = meters.pushes.read()
  const [sent, failed] = [
    all.reduce((sum, it) => sum + it.sent, 0),
    all.reduce((sum, it) => sum + it.failed, 0),
  ]
  const isFailing = sent + failed >= MIN_PUSHES && failed > sent
  const detail = `sent ${sent}, failed ${failed}`
  return {
    state: isFailing ? 'failing' : 'ok',
    reason: isFailing ? 'pushes_fail' : null,
    detail,
    reads: true,
  }
}

async function paymentWork({ db, clock, meters, paymentProviders, settings }: Deps): Promise<Outcome> {
  const { current } = paymentProviders
  const practised = settings.payments.isReal ? await countPaidBy(db, practiceNames) : 0
  if (practised > 0)
    return {
      state: 'failing',
      reason: 'practice_money',
      detail: `payments by practice providers: ${practised}`,
      reads: true,
    }
  const gone = (await listProvidersInUse(db, clock())).filter((it) => !paymentProviders.of(it))
  if (gone.length > 0)
    return { state: 'failing', reason: 'provider_gone', detail: gone.join(', '), reads: true }
  if (!current) return OFF
  const failed = meters.provider?.failed()
  if (failed)
    return {
      state: 'failing',
      reason: causeOf(failed.error) === 'other' ? 'call_failed' : causeOf(failed.error),
      detail: `${failed.call}: ${detailOf(failed.error)} (${new Date(failed.at).toISOString()})`,
      reads: true,
    }
  const notice = await lastPaymentNotice(db)
  const detail = `last notice ${notice?.toISOString() ?? 'none'}`
  const practice = isPractice(current.name) ? 'practice' : null
  const reason = settings.payments.isSelling ? practice : 'sales_paused'
  return { state: 'ok', reason, detail, reads: true }
}

/** The sandbox where media are made. `unreachable`: no server that makes media has reported. */
async function sandboxWork(deps: Deps): Promise<Outcome> {
  const { state, reason: detail, reported } = await findMediaSandbox(deps)
  if (state === 'bubblewrap') return { state: 'ok', reason: null, reads: true }
  if (state === 'unknown')
    return { state: 'failing', reason: reported ? 'late' : 'unreachable', detail, reads: true }
  return { state: deps.refusesUnconfined ? 'failing' : 'off', reason: 'no_sandbox', detail, reads: true }
}

/** Each check, which neither writes to the database nor sends anything to a person. */
export function worksOf(deps: Deps): Readonly<Record<CheckName, CheckWork>> {
  const { redis, mailer } = deps
  return {
    database: () => databaseWork(deps),
    store: () => storeWork(deps),
    redis: async () => (redis ? redis.ping() : OFF),
    mail: async () => (mailer.check ? mailer.check() : OFF),
    push: () => pushWork(deps),
    payments: () => paymentWork(deps),
    sandbox: () => sandboxWork(deps),
  }
}
