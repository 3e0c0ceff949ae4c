// The notices of the sandbox provider: written to the database, then sent over HTTP.
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { noticeSecretOf } from '#server/services/payments/identifiers.ts'
import {
  addSandboxNotice,
  listDueNotices,
  listHeldNotices,
  type SandboxCharge,
  type SandboxNotice,
  type SandboxRecurring,
  setNoticeSent,
} from '#server/store/payments/sandbox.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'

/** A notice that gets no answer within this time has failed, ms. */
const TIMEOUT = 10_000
/** A job sends what was not sent by then, s. */
const RETRY_AFTER = 30

/** The result that a notice reports: `rst`, and the error code `ec`. */
export interface NoticedResult {
  readonly rst: '1' | '2' | '3'
  readonly ec: string
}

/** The query of a notice: the provider's fields, and those of the form that it passes through. */
function queryOf(
  { chargeRef, fields, amount, recurringRef }: SandboxCharge,
  { rst, ec }: NoticedResult,
  changed: { readonly amount: number | null; readonly store: string | null },
): string {
  const total = String(changed.amount ?? amount)
  const field = (name: string) => fields[name] ?? ''
  return new URLSearchParams({
    gid: chargeRef,
    rst,
    ap: rst === '1' ? '000000' : '',
    ec,
    god: chargeRef,
    cod: field('cod'),
    am: total,
    tx: '0',
    sf: '0',
    ta: total,
    aid: changed.store ?? field('aid'),
    payment_id: field('payment_id'),
    session_id: field('session_id'),
    auth_id: field('auth_id'),
    ...(recurringRef !== null && { acid: recurringRef }),
  }).toString()
}

/** Writes the notice of a result as the behaviour says. @returns whether it is to be sent at once */
export const writeNotice = (deps: Deps, charge: SandboxCharge, result: NoticedResult): Promise<boolean> =>
  write(deps, charge.chargeRef, (behaviour) => queryOf(charge, result, behaviour))

/**
 * Writes the notice that a recurring charge was stopped. As at the real provider it has no field of the form but `cod`;
 * without that, only the number of the recurring charge.
 */
export function writeStop(
  deps: Deps,
  { recurringRef, fields }: Pick<SandboxRecurring, 'recurringRef' | 'fields'>,
  rst: '2' | '4',
): Promise<boolean> {
  const { cod } = fields
  return write(deps, '', () =>
    new URLSearchParams({ rst, ...(cod ? { cod } : { acid: recurringRef }) }).toString(),
  )
}

async function write(
  deps: Deps,
  chargeRef: string,
  queryBy: (behaviour: Behaviour) => string,
): Promise<boolean> {
  return deps.transaction(async ({ tx, enqueue }) => {
    const behaviour = await behaviourOf(tx)
    if (behaviour.lose) return false
    const now = deps.clock()
    const dueAt = behaviour.reorder ? null : new Date(now + behaviour.delay * 1000)
    const query = queryBy(behaviour)
    const { copies, delay } = behaviour
    const created = { id: newId(), chargeRef, payload: query, copies, createdAt: new Date(now), sentAt: null }
    await addSandboxNotice(tx, { ...created, provider: 'sandbox', dueAt })
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

async function send(deps: Deps, { id, payload: query, copies }: SandboxNotice): Promise<void> {
  const secret = noticeSecretOf(deps.secrets, deps.settings.payments.noticePath)
  // Another machine would send it to the public address, which may not lead here from this one.
  const url = `${deps.listening.at || deps.settings.publicUrl}${PAYMENT_NOTICES_PATH}/${secret}?${query}`
  const requests = Array.from({ length: copies }, () => fetch(url, { signal: AbortSignal.timeout(TIMEOUT) }))
  for (const reply of await Promise.all(requests)) {
    if (!reply.ok) throw new Error(`the notice of the sandbox was answered with ${reply.status}`)
  }
  await setNoticeSent(deps.db, id, deps.clock())
}
