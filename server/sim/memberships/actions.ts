// Chooses what happens next in a story of memberships.
import { newId } from '#contract/ids.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { deliver, deliverSafely, killSoon } from '#server/sim/deliveries.ts'
import { runJobs } from '#server/sim/jobs.ts'
import { DAY, HOUR } from '#server/sim/months.ts'
import { queryOf } from '#server/sim/provider.ts'
import { notice } from '#server/testing/payments/shop.ts'
import { changeCard } from './cards.ts'
import {
  block,
  cancel,
  changeNext,
  join,
  leaveApp,
  payForm,
  refuseCard,
  resume,
  revokeNext,
  running,
} from './fans.ts'
import { addCheaper, changePlan, closePlan, mistypePrice, refund, stopThere } from './others.ts'
import { endGift, giveGift } from './gifts.ts'
import type { ClubStory } from './story.ts'
import { advance, sweep } from './time.ts'

const STEPS = [HOUR, DAY, 3 * DAY, 12 * DAY, 20 * DAY, 31 * DAY] as const

async function deliverNext(story: ClubStory): Promise<void> {
  const { waiting, random } = story
  const [sent] = waiting.splice(random.below(waiting.length), 1)
  if (!sent) return
  await deliver(story, sent)
  if (sent.charge && !sent.charge.isAcknowledged && random.chance(0.5)) waiting.push(sent)
}

/** Two notices arrive at two servers at once. */
async function deliverTwo(story: ClubStory): Promise<void> {
  const { servers, waiting } = story
  const [first, second] = waiting.splice(0, 2)
  if (!first || !second) return
  second.charge?.arrivals.push(servers.steady.clock.now)
  const other = notice(servers.fragile, second.query)
  await Promise.all([deliverSafely(story, first), other])
  if (second.charge && (await other).statusCode === 200) second.charge.isAcknowledged = true
}

/** A forged notice: a wrong field of a charge, or a stop that names another recurring charge. */
async function forgePlan(story: ClubStory): Promise<void> {
  const { random, forms, charges } = story
  const { form } = random.pick(forms)
  const gid = random.pick([newId(), ...charges.map((it) => it.gid)])
  const acid = charges.find((it) => it.form['payment_id'] === form['payment_id'])?.acid ?? newId()
  const wrong = random.pick([
    { acid, am: '1', ta: '1' },
    { acid, auth_id: 'x'.repeat(43) },
    { acid, session_id: 'x'.repeat(22) },
    { acid, aid: '999999' },
    { acid: '' },
  ])
  const stop = new URLSearchParams({ rst: '4', cod: form['payment_id'] ?? '', acid: newId() }).toString()
  await deliver(story, { query: random.chance(0.2) ? stop : queryOf(form, gid, wrong), charge: null })
}

async function reconcileNow(story: ClubStory): Promise<void> {
  const { random, servers } = story
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  await reconcile((isKilled ? servers.fragile : servers.steady).deps).catch((error: unknown) => {
    if (!isKilled) throw error
  })
  servers.crashes.restart()
}

interface Weighted {
  readonly name: string
  readonly weight: number
  readonly act: (story: ClubStory) => Promise<void> | void
  readonly isPossible?: (story: ClubStory) => boolean
}

const hasForm = ({ forms }: ClubStory) => forms.length > 0
const hasMember = (story: ClubStory) => running(story).length > 0
const hasPayment = ({ observed }: ClubStory) => observed.payments.length > 0

const actions: readonly Weighted[] = [
  { name: 'join', weight: 8, act: join },
  { name: 'pay', weight: 2.5, act: (story) => payForm(story), isPossible: hasForm },
  { name: 'refuse', weight: 1, act: refuseCard, isPossible: hasForm },
  { name: 'deliver', weight: 22, act: deliverNext, isPossible: ({ waiting }) => waiting.length > 0 },
  { name: 'deliver two', weight: 4, act: deliverTwo, isPossible: ({ waiting }) => waiting.length > 1 },
  { name: 'forge', weight: 4, act: forgePlan, isPossible: hasForm },
  { name: 'jobs', weight: 8, act: (story) => runJobs(story, true) },
  { name: 'pass', weight: 28, act: (story) => advance(story, story.random.pick(STEPS)) },
  { name: 'sweep', weight: 7, act: sweep },
  { name: 'reconcile', weight: 4, act: reconcileNow, isPossible: hasForm },
  { name: 'cancel', weight: 3.5, act: cancel, isPossible: hasMember },
  { name: 'resume', weight: 5, act: resume, isPossible: hasMember },
  { name: 'change', weight: 6, act: changeNext, isPossible: hasMember },
  {
    name: 'change card',
    weight: 7,
    act: changeCard,
    isPossible: ({ observed }) => observed.memberships.length > 0,
  },
  { name: 'revoke change', weight: 2, act: revokeNext, isPossible: hasMember },
  { name: 'refund', weight: 2.5, act: refund, isPossible: hasPayment },
  { name: 'gift', weight: 4, act: giveGift },
  { name: 'end gift', weight: 1, act: endGift, isPossible: ({ gifts }) => gifts.length > 0 },
  { name: 'block', weight: 1.5, act: block },
  { name: 'change plan', weight: 4, act: changePlan },
  { name: 'mistype price', weight: 2.5, act: mistypePrice },
  { name: 'add plan', weight: 1.5, act: addCheaper, isPossible: ({ plans }) => plans.length < 4 },
  { name: 'close plan', weight: 1.5, act: closePlan },
  { name: 'stop there', weight: 2, act: stopThere },
  { name: 'leave', weight: 0.7, act: leaveApp },
]

/** Performs one possible action. */
export async function act(story: ClubStory): Promise<void> {
  const possible = actions.filter((it) => it.isPossible?.(story) ?? true)
  const total = possible.reduce((sum, it) => sum + it.weight, 0)
  let left = story.random.next() * total
  const chosen = possible.find((it) => (left -= it.weight) < 0) ?? possible[0]
  story.action = chosen?.name ?? ''
  await chosen?.act(story)
}
