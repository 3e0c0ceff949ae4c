// What happens in a story: people pay, creators change posts, time passes, servers fail.
import { newId } from '#contract/ids.ts'
import { sweepPayments } from '#server/modules/payments/sweep.ts'
import { deleteDueAccounts } from '#server/modules/leaving/erase.ts'
import { decideDispute, openDispute } from '#server/services/billing/disputes.ts'
import { refundInUnit, refundPayment } from '#server/services/billing/refund-payment.ts'
import { listDisputesOf } from '#server/store/adjustments/disputes.ts'
import { findPayment } from '#server/store/payments/payments.ts'
import { call } from '#server/testing/people/members.ts'
import { type BegunPayment, fieldsOf } from '#server/testing/payments/shop.ts'
import { leave, sweepDeletedPosts } from '#server/testing/people/leaving.ts'
import { chargeForm, deliver, forge, killSoon } from './deliveries.ts'
import { runJobs } from './jobs.ts'
import { leaveOrReturn, pauseOrResume, removeOrRestore, returnByHand } from './operator.ts'
import { queryOf } from './provider.ts'
import type { Story } from './story.ts'

const MINUTE = 60_000
const STEPS = [MINUTE, 30 * MINUTE, 3 * 60 * MINUTE, 30 * 60 * MINUTE, 8 * 24 * 60 * MINUTE] as const

type Action = (story: Story) => Promise<void> | void

async function begin(story: Story): Promise<void> {
  const { random, cast, servers, agreed, forms } = story
  const fan = random.pick(cast.fans)
  const offer = random.pick(cast.offers)
  const mine = forms.filter((it) => it.fan === fan && it.offer === offer)
  // A repeated request has the same id.
  const paymentId = mine.length > 0 && random.chance(0.15) ? random.pick(mine).paymentId : newId()
  const price = random.chance(0.85) ? (offer.price ?? 500) : 100
  const before = agreed.get(paymentId)
  // While nothing is sold no payment may begin, so that it has no price.
  if (!before && !story.isPaused)
    agreed.set(paymentId, { fanId: fan.member.id, postId: offer.id, price: offer.price })
  const isKilled = random.chance(0.15)
  if (isKilled) killSoon(story)
  const world = isKilled ? servers.fragile : servers.steady
  const reply = await call(world, fan.member, 'POST', '/payments', {
    payment_id: paymentId,
    post_id: offer.id,
    price,
  })
  servers.crashes.restart()
  if (reply.statusCode !== 200) return
  const begun = reply.json<BegunPayment>()
  if (begun.start) forms.push({ paymentId: begun.id, fan, offer, form: fieldsOf(begun) })
}

function pay(story: Story): void {
  const { forms, random } = story
  // Mostly the newest form, sometimes an earlier one of another price or after its time.
  const form = random.chance(0.6) ? forms.at(-1) : random.pick(forms)
  if (form) chargeForm(story, form)
}

/** The card is refused; the same form may pay later. */
function refuse({ forms, random, waiting }: Story): void {
  const { form } = random.pick(forms)
  waiting.push({ query: queryOf(form, newId(), { rst: '2', ec: 'ER003' }), charge: null })
}

async function deliverNext(story: Story): Promise<void> {
  const { waiting, random } = story
  const index = random.below(waiting.length)
  const [sent] = waiting.splice(index, 1)
  if (!sent) return
  await deliver(story, sent)
  // Without a success it is sent again.
  if (sent.charge && !sent.charge.isAcknowledged && random.chance(0.5)) waiting.push(sent)
}

async function change({ random, cast, servers }: Story): Promise<void> {
  const offer = random.pick(cast.offers)
  const price = random.chance(0.2) ? null : random.between(1, 30) * 100 + random.below(10)
  const audience = price === null ? { type: 1 } : { type: 3, price }
  const reply = await call(servers.steady, cast.creator, 'PATCH', `/posts/${offer.id}`, { audience })
  if (reply.statusCode === 200) offer.price = price
}

async function remove({ random, cast, servers }: Story): Promise<void> {
  const offer = random.pick(cast.offers)
  const reply = await call(servers.steady, cast.creator, 'DELETE', `/posts/${offer.id}`)
  if (reply.statusCode === 200) offer.isDeleted = true
}

async function block({ random, cast, servers }: Story): Promise<void> {
  const fan = random.pick(cast.fans)
  const isByFan = random.chance(0.5)
  const isOn = isByFan ? fan.blocks : fan.isBlocked
  const [as, whom] = isByFan ? [fan.member, cast.creator] : [cast.creator, fan.member]
  const reply = await call(servers.steady, as, isOn ? 'DELETE' : 'PUT', `/blocks/${whom.id}`)
  if (reply.statusCode !== 200) return
  if (isByFan) fan.blocks = !isOn
  else fan.isBlocked = !isOn
}

function pass({ random, servers }: Story): void {
  servers.steady.clock.now += random.pick(STEPS)
}

async function sweep(story: Story): Promise<void> {
  const { random, servers } = story
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  // A killed sweep is repeated by the next one.
  await sweepPayments((isKilled ? servers.fragile : servers.steady).deps).catch(() => undefined)
  servers.crashes.restart()
  await deleteDueAccounts(servers.steady.deps)
  await sweepDeletedPosts(servers.steady)
}

async function refund(story: Story): Promise<void> {
  const { random, servers, cast, forms } = story
  const { paymentId } = random.pick(forms)
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  const refundBy = (world: typeof servers.steady) =>
    refundPayment(world.deps, paymentId, { actorId: cast.staff[0].id, ip: '' }).catch(() => false)
  if (random.chance(0.3)) await Promise.all([refundBy(servers.fragile), refundBy(servers.steady)])
  else await refundBy(isKilled ? servers.fragile : servers.steady)
  servers.crashes.restart()
}

/** An admin refunds a part, at times by two servers at once. */
const refundPart = (story: Story): Promise<void> =>
  refundPartOf(story, story.random.pick(story.forms).paymentId)

async function refundPartOf(story: Story, paymentId: string): Promise<void> {
  const { random, servers, cast } = story
  const payment = await findPayment(servers.steady.deps.db, paymentId)
  const left = (payment?.amount ?? 0) - (payment?.refundedAmount ?? 0)
  if (left === 0) return
  const asked = { id: newId(), amount: random.between(1, left), left, reason: '一部の返金' }
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  const refundBy = ({ deps }: typeof servers.steady) =>
    deps
      .transaction((unit) =>
        refundInUnit(deps, unit, paymentId, { actorId: cast.staff[0].id, ip: '' }, asked),
      )
      .catch(() => false)
  if (random.chance(0.3)) await Promise.all([refundBy(servers.fragile), refundBy(servers.steady)])
  else await refundBy(isKilled ? servers.fragile : servers.steady)
  servers.crashes.restart()
}

/** The provider is not configured for a time, in which sales are refunded, and the operator returns a part by hand. */
async function loseProvider(story: Story): Promise<void> {
  const { random, forms } = story
  leaveOrReturn(story)
  if (!story.servers.provider.isGone) return
  for (const { paymentId } of [...forms, ...forms]) await refundPartOf(story, paymentId)
  await runJobs(story, true)
  if (random.chance(0.7)) await returnByHand(story, 1)
}

/** The card company takes a charge, or decides about one that it took. */
async function dispute(story: Story): Promise<void> {
  const { random, servers, cast, forms } = story
  const { paymentId } = random.pick(forms)
  const { db } = servers.steady.deps
  const payment = await findPayment(db, paymentId)
  if (!payment) return
  const left = payment.amount - payment.refundedAmount
  const open = (await listDisputesOf(db, [paymentId])).find((it) => it.state === 'open')
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  const { deps } = isKilled ? servers.fragile : servers.steady
  const by = { actorId: cast.staff[0].id, ip: '' }
  const outcome = random.pick(['won', 'won', 'lost', 'covered'] as const)
  const asked = { id: newId(), fee: random.pick([0, 1500]), left, reason: '利用者からの申し出' }
  await deps
    .transaction((unit) =>
      open ? decideDispute(deps, unit, open.id, by, outcome) : openDispute(deps, unit, paymentId, by, asked),
    )
    .catch(() => undefined)
  servers.crashes.restart()
}

async function leaveApp(story: Story): Promise<void> {
  const { random, cast, servers } = story
  if (random.chance(0.7)) await leave(servers.steady, random.pick(cast.fans).member)
  else if ((await leave(servers.steady, cast.creator)).statusCode === 200) story.isCreatorLeaving = true
}

interface Weighted {
  readonly name: string
  readonly weight: number
  readonly act: Action
  readonly isPossible?: (story: Story) => boolean
  /** Whether it changes nothing on the servers. */
  readonly isElsewhere?: true
}

const hasForm = ({ forms }: Story) => forms.length > 0

const actions: readonly Weighted[] = [
  { name: 'begin', weight: 20, act: begin, isPossible: ({ servers }) => !servers.provider.isGone },
  { name: 'pay', weight: 22, act: pay, isPossible: hasForm, isElsewhere: true },
  { name: 'refuse', weight: 3, act: refuse, isPossible: hasForm, isElsewhere: true },
  { name: 'deliver', weight: 30, act: deliverNext, isPossible: ({ waiting }) => waiting.length > 0 },
  { name: 'forge', weight: 8, act: forge, isPossible: hasForm },
  { name: 'jobs', weight: 8, act: (story) => runJobs(story, true) },
  { name: 'refund', weight: 5, act: refund, isPossible: hasForm },
  { name: 'refund of a part', weight: 4, act: refundPart, isPossible: hasForm },
  { name: 'dispute', weight: 5, act: dispute, isPossible: hasForm },
  { name: 'change', weight: 4, act: change },
  { name: 'remove', weight: 2, act: remove },
  { name: 'block', weight: 3, act: block },
  { name: 'pass', weight: 6, act: pass, isElsewhere: true },
  { name: 'sweep', weight: 5, act: sweep },
  { name: 'leave', weight: 0.6, act: leaveApp },
  { name: 'removal by staff', weight: 1.5, act: removeOrRestore },
  { name: 'pause of sales', weight: 1, act: pauseOrResume, isElsewhere: true },
  { name: 'provider', weight: 2, act: loseProvider },
  {
    name: 'return by hand',
    weight: 6,
    act: (story) => returnByHand(story, 1),
    isPossible: ({ servers }) => servers.provider.isGone,
  },
]

/** Performs one possible action. @returns whether a server may have changed anything */
export async function act(story: Story): Promise<boolean> {
  const possible = actions.filter((it) => it.isPossible?.(story) ?? true)
  const total = possible.reduce((sum, it) => sum + it.weight, 0)
  let left = story.random.next() * total
  const chosen = possible.find((it) => (left -= it.weight) < 0) ?? possible[0]
  story.action = chosen?.name ?? ''
  await chosen?.act(story)
  return chosen?.isElsewhere !== true
}
