// The simulated provider: what it truly charged and returned, and its notices.
import { createSandbox } from '#server/adapters/payments/sandbox.ts'
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'

/** Fields of the form that the buyer's browser posted. */
export type Form = Readonly<Record<string, string>>

/** Money that the provider took. */
export interface TrueCharge {
  readonly gid: string
  readonly paymentId: string
  /** Whole yen, as the buyer's browser posted it. */
  readonly amount: number
  /** Whether the buyer changed the amount in the form. */
  readonly isTampered: boolean
  readonly form: Form
  /** Whether a notice of it was answered with 200. */
  isAcknowledged: boolean
  /** How often the money was returned. */
  returned: number
}

/** A notice on its way; `charge` is null for a refused card and for a forged one. */
export interface SentNotice {
  readonly query: string
  readonly charge: TrueCharge | null
}

export interface SimulatedProvider {
  readonly port: PaymentProvider
  readonly charges: ReadonlyMap<string, TrueCharge>
  /** Takes money for a form. */
  charge(gid: string, form: Form, amount: number): TrueCharge
  /** How many of the next refunds fail before the money is returned. */
  failures: number
  /** How many of the next refunds fail after the money was returned. */
  lostReplies: number
}

export const STORE = 'sandbox'

const nothing = async () => undefined
const withoutRecurring = { stop: nothing, resume: nothing, changeAmount: nothing }

export function createProvider(): SimulatedProvider {
  const charges = new Map<string, TrueCharge>()
  const failing = { before: 0, after: 0 }
  const refund = async (gid: string): Promise<void> => {
    if (failing.before > 0) {
      failing.before -= 1
      throw new Error('the provider is not reachable')
    }
    const charge = charges.get(gid)
    if (!charge) throw new Error('the provider has no such charge')
    // A repeat changes nothing at the provider.
    charge.returned = 1
    if (failing.after === 0) return
    failing.after -= 1
    throw new Error('the reply of the provider was lost')
  }
  return {
    port: createSandbox(
      { storeId: STORE, sendsCod: false, planJob: 'CAPTURE' },
      { ...withoutRecurring, list: async () => ({ charges: [], recurring: [] }), refund },
    ),
    charges,
    charge(gid, form, amount) {
      const isTampered = String(amount) !== form['am']
      const paymentId = form['payment_id'] ?? ''
      const made = { gid, paymentId, amount, isTampered, form, isAcknowledged: false, returned: 0 }
      charges.set(gid, made)
      return made
    },
    get failures() {
      return failing.before
    },
    set failures(count) {
      failing.before = count
    },
    get lostReplies() {
      return failing.after
    },
    set lostReplies(count) {
      failing.after = count
    },
  }
}

/** The query of a notice about a form. @param changed fields that differ, also additional ones */
export function queryOf(form: Form, gid: string, changed: Form = {}): string {
  const field = (name: string) => form[name] ?? ''
  const passed = ['aid', 'payment_id', 'session_id', 'auth_id'].map((name) => [name, field(name)] as const)
  return new URLSearchParams({
    gid,
    rst: '1',
    ap: '000000',
    ec: '',
    god: gid,
    cod: '',
    am: field('am'),
    tx: '0',
    sf: '0',
    ta: field('am'),
    ...Object.fromEntries(passed),
    ...changed,
  }).toString()
}

/** The true notice of a charge. */
export const noticeOf = (charge: TrueCharge, changed: Form = {}): SentNotice => {
  const total = String(charge.amount)
  return { query: queryOf(charge.form, charge.gid, { am: total, ta: total, ...changed }), charge }
}
