// The recurring charges of the sandbox: charged each month, failing, and stopped.
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { cardIsValid } from '#server/rules/money/card-month.ts'
import { periodEnd } from '#server/rules/money/periods.ts'
import {
  addSandboxCharge,
  addSandboxRecurring,
  listDueRecurring,
  type SandboxCharge,
  type SandboxName,
  type SandboxRecurring,
  setSandboxCharge,
  setSandboxRecurring,
} from '#server/store/payments/sandbox.ts'
import { isPractice } from '#server/services/payments/providers.ts'
import { behaviourOf } from './behaviour.ts'
import { sendNotices, writeNotice, writeStop } from './notices.ts'
import { wireOf } from './wire.ts'

/** Tries of one month before the provider stops. */
const TRIES = 3
/** Time between two tries, ms. */
const RETRY_MS = 3 * 24 * 3600_000
/** Recurring charges of one sweep. */
const MOST = 1000

/** Starts the recurring charge of a form that has one. @param cardExpires the last month of the card, `YYYY-MM` @returns its number; null for a single charge */
export async function startRecurring(
  { db, clock }: Deps,
  { chargeRef, provider, fields, paymentId, amount: first }: SandboxCharge,
  cardExpires: string,
): Promise<string | null> {
  const wire = wireOf(provider)
  const [day, amount] = [wire.chargeDay(fields), wire.monthly(fields, first)]
  if (day === '') return null
  const now = clock()
  const recurringRef = newId()
  const nextAt = new Date(periodEnd(now, Number(day)))
  const row = { recurringRef, provider, fields, paymentId, amount, nextAt, createdAt: new Date(now) }
  await addSandboxRecurring(db, { ...row, state: 'running', failures: 0, cardExpires })
  await setSandboxCharge(db, chargeRef, { recurringRef })
  return recurringRef
}

/** Charges the next month of a recurring charge now. A failed one is tried again, and stopped at last. */
export async function chargeNext(deps: Deps, recurring: SandboxRecurring, fails: boolean): Promise<void> {
  const { db, clock } = deps
  const { recurringRef, fields, paymentId, amount } = recurring
  const now = clock()
  const charge: SandboxCharge = {
    chargeRef: newId(),
    provider: recurring.provider,
    fields,
    paymentId,
    amount,
    state: fails ? 'refused' : 'paid',
    createdAt: new Date(now),
    chargedAt: fails ? null : new Date(now),
    recurringRef,
    refunded: 0,
  }
  const failures = fails ? recurring.failures + 1 : 0
  const isStopped = failures >= TRIES
  const nextAt = new Date(
    fails ? now + RETRY_MS : periodEnd(now, Number(wireOf(recurring.provider).chargeDay(fields))),
  )
  await addSandboxCharge(db, charge)
  await setSandboxRecurring(db, recurringRef, { failures, nextAt, state: isStopped ? 'stopped' : 'running' })
  if (isStopped) await writeStop(deps, recurring, 'provider')
  else
    await writeNotice(
      deps,
      { ...charge, cardExpires: recurring.cardExpires },
      fails ? 'renewal_failed' : 'charged',
    )
}

/** The sandboxes that are open. */
export const openSandboxes = ({ paymentProviders }: Pick<Deps, 'paymentProviders'>): SandboxName[] =>
  paymentProviders.all.map((it) => it.name).filter(isPractice)

/** Hourly: charges the months that are due, where a sandbox is open. */
export async function chargeDue(deps: Deps): Promise<void> {
  const open = openSandboxes(deps)
  if (open.length === 0) return
  const { failRenewals } = await behaviourOf(deps.db)
  const due = await listDueRecurring(deps.db, open, deps.clock(), MOST)
  const isOver = ({ cardExpires }: SandboxRecurring) =>
    cardExpires !== null && !cardIsValid(cardExpires, deps.clock())
  for (const it of due) await chargeNext(deps, it, failRenewals || isOver(it))
  if (due.length > 0) await sendNotices(deps)
}
