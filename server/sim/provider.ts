// The simulated provider: what it truly charged and returned, and what it charges each month.
import { createHostedSandbox } from '#server/adapters/payments/hosted-sandbox/hosted-sandbox.ts'
import { chargesOf } from '#server/adapters/payments/link-form.ts'
import { createSandbox, type SandboxCalls } from '#server/adapters/payments/sandbox.ts'
import { onHosted } from '#server/testing/world.ts'
import type { PaymentProvider, ProviderList } from '#server/adapters/payments/provider.ts'
import { dayAfter } from './months.ts'

/** Fields of the form that the buyer's browser posted. */
export type Form = Readonly<Record<string, string>>

/** Money that the provider took. */
export interface TrueCharge {
  readonly gid: string
  readonly paymentId: string
  /** The recurring charge that it belongs to; '' for a single one. */
  readonly acid: string
  /** Whole yen. */
  readonly amount: number
  /** ms since 1970 */
  readonly chargedAt: number
  /** Whether the buyer changed the amount in the form. */
  readonly isTampered: boolean
  readonly form: Form
  /** When its notices arrived, ms since 1970. */
  readonly arrivals: number[]
  /** Whether a notice of it was answered with 200. */
  isAcknowledged: boolean
  /** Yen that were returned. */
  returned: number
}

/** What the provider charges each month for a form of a plan. */
export interface TrueRecurring {
  readonly acid: string
  readonly paymentId: string
  readonly form: Form
  /** Day of the month. */
  readonly day: number
  /** Whole yen. */
  amount: number
  isTampered: boolean
  isRunning: boolean
  /** Whether the provider or the buyer has stopped it at some time, not the server. */
  wasStoppedThere: boolean
  /** When the next month is tried, ms since 1970. */
  tryAt: number
  failures: number
}

/** A notice on its way; `charge` is null for one about no charge, and for a forged one. */
export interface SentNotice {
  readonly query: string
  readonly charge: TrueCharge | null
}

export interface SimulatedProvider {
  readonly port: PaymentProvider
  readonly charges: ReadonlyMap<string, TrueCharge>
  readonly recurring: ReadonlyMap<string, TrueRecurring>
  /** Begins a story: its provider has a name of its own, so that it lists no charges of others. */
  begin(seed: number, now: () => number): void
  /** Gives the provider of a server the name of the story, which the recorder of its calls has copied. */
  rename(opened: PaymentProvider | undefined): void
  /** Takes money for a form. */
  charge(gid: string, form: Form, amount: number, acid?: string): TrueCharge
  /** Charges each month from now on. */
  recur(acid: string, form: Form): TrueRecurring
  /** How many of the next changes fail before they are made. */
  failures: number
  /** How many of the next changes fail after they were made. */
  lostReplies: number
  /** Whether the servers do not have it any more, and another one in its place. */
  isGone: boolean
}

export const STORE = 'sandbox'

interface State {
  readonly charges: Map<string, TrueCharge>
  readonly recurring: Map<string, TrueRecurring>
  now: () => number
  name: string
  failures: number
  lostReplies: number
  isGone: boolean
}

/** @param webhookSecrets of the servers, for the hosted sandbox */
export function createProvider(webhookSecrets: readonly string[]): SimulatedProvider {
  const state: State = {
    charges: new Map(),
    recurring: new Map(),
    now: () => 0,
    name: onHosted ? 'hosted-sandbox' : 'sandbox',
    failures: 0,
    lostReplies: 0,
    isGone: false,
  }
  const { charges, recurring } = state
  return Object.assign(state, {
    port: portOf(state, webhookSecrets),
    begin(seed: number, now: () => number) {
      Object.assign(state, { name: `${onHosted ? 'hosted-' : ''}sandbox-${seed}`, now, isGone: false })
      charges.clear()
      recurring.clear()
    },
    rename: (opened: PaymentProvider | undefined) => void (opened && named(opened, state)),
    charge(gid: string, form: Form, amount: number, acid = ''): TrueCharge {
      const from = recurring.get(acid)
      const isFirst = acid === '' || ![...charges.values()].some((it) => it.acid === acid)
      // A form of no yen has registered a card, which is charged later.
      const isOfForm = isFirst && form['am'] !== '0'
      const isTampered = isOfForm ? String(amount) !== form['am'] : from?.isTampered === true
      const paymentId = form['payment_id'] ?? ''
      const fixed = { gid, paymentId, acid, amount, isTampered, form, chargedAt: state.now() }
      const made = { ...fixed, arrivals: [], isAcknowledged: false, returned: 0 }
      charges.set(gid, made)
      return made
    },
    recur(acid: string, form: Form): TrueRecurring {
      const [day, amount] = [Number(form['ac1']), Number(form['acam'])]
      const made = {
        acid,
        form,
        day,
        amount,
        paymentId: form['payment_id'] ?? '',
        isTampered: form['acam'] !== form['aofm'],
        isRunning: true,
        wasStoppedThere: false,
        tryAt: dayAfter(state.now(), day),
        failures: 0,
      }
      recurring.set(acid, made)
      return made
    },
  })
}

const named = (port: PaymentProvider, state: State): PaymentProvider =>
  Object.defineProperty(port, 'name', {
    get: () => (state.isGone ? `${state.name}-next` : state.name),
    enumerable: true,
  })

const listOf = ({ charges, recurring }: State): ProviderList => ({
  charges: [...charges.values()].map((it) => ({
    ...it,
    chargeRef: it.gid,
    recurringRef: it.acid,
    refunded: it.returned,
    chargedAt: new Date(it.chargedAt),
  })),
  recurring: [...recurring.values()].map((it) => ({ ...it, recurringRef: it.acid })),
})

/** The port that the servers use. Each change may fail before or after it was made; a repeat changes nothing. */
function portOf(state: State, webhookSecrets: readonly string[]): PaymentProvider {
  const change = async (make: () => void): Promise<void> => {
    if (state.failures > 0) {
      state.failures -= 1
      throw new Error('the provider is not reachable')
    }
    make()
    if (state.lostReplies === 0) return
    state.lostReplies -= 1
    throw new Error('the reply of the provider was lost')
  }
  const known = <T>(map: ReadonlyMap<string, T>, id: string): T => {
    const it = map.get(id)
    if (!it) throw new Error('the provider has no such number')
    return it
  }
  const set = (acid: string, changed: Partial<TrueRecurring>) =>
    change(() => void Object.assign(known(state.recurring, acid), changed))
  const calls: SandboxCalls = {
    list: async () => listOf(state),
    refund: (gid, returned) =>
      change(() => {
        const charge = known(state.charges, gid)
        charge.returned = Math.max(charge.returned, returned)
      }),
    stop: (acid) => set(acid, { isRunning: false }),
    async resume(acid, amount) {
      const { isRunning, tryAt, day } = known(state.recurring, acid)
      const next = isRunning ? tryAt : dayAfter(state.now(), day)
      await set(acid, { isRunning: true, amount, isTampered: false, failures: 0, tryAt: next })
    },
    changeAmount: (acid, amount) => set(acid, { amount, isTampered: false }),
  }
  const shop = {
    storeId: STORE,
    sendsCod: false,
    planJob: 'CAPTURE',
    cardJob: 'CHECK',
    isNoticeAddress: () => true,
  }
  const form = createSandbox(shop, calls)
  const hosted = createHostedSandbox(
    { storeId: STORE, webhookSecrets },
    { ...calls, openPage: async () => '' },
  )
  // The page has what the form would have.
  const begin: PaymentProvider['begin'] = async (payment) => {
    const start = await form.begin(payment)
    const fields = Object.fromEntries(
      start.is === 'form' ? start.form.fields.map((it) => [it.name, it.value]) : [],
    )
    return { is: 'redirect', url: `/page?${new URLSearchParams(fields).toString()}` }
  }
  const port = onHosted ? { ...hosted, begin } : form
  // Staff upload lists of a provider whose panel has them.
  return named({ ...port, readCharges: chargesOf }, state)
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
  const recurring = charge.acid === '' ? {} : { acid: charge.acid }
  const query = queryOf(charge.form, charge.gid, { am: total, ta: total, ...recurring, ...changed })
  return { query, charge }
}
