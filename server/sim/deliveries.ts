// Delivers notices to the servers, true and forged ones.
import { newId } from '#contract/ids.ts'
import { notice } from '#server/testing/payments/shop.ts'
import type { World } from '#server/testing/world.ts'
import { type Form, noticeOf, queryOf, type SentNotice, type TrueCharge } from './provider.ts'
import type { Begun, Common, Story } from './story.ts'

/** A sale takes about 45 statements and commits, with the notice that is stored before it. */
const MAX_POINTS = 50

/** Kills the fragile server somewhere in what it does next. */
export function killSoon({ random, servers }: Pick<Common, 'random' | 'servers'>): void {
  servers.crashes.killAfter(random.below(MAX_POINTS))
}

async function send(world: World, { query, charge }: SentNotice): Promise<void> {
  charge?.arrivals.push(world.clock.now)
  const reply = await notice(world, query)
  // The provider repeats a notice until it is answered with success.
  if (reply.statusCode === 200 && charge) charge.isAcknowledged = true
}

/** Delivers a notice to one server, to one that is killed, or to both at once. */
export async function deliver(story: Common, sent: SentNotice): Promise<void> {
  const { random, servers } = story
  const { steady, fragile, crashes } = servers
  // The address of its notices is not there.
  if (servers.provider.isGone) return
  const how = random.below(4)
  if (how === 0) await send(steady, sent)
  else if (how === 1) {
    killSoon(story)
    await send(fragile, sent)
  } else if (how === 2) await Promise.all([send(steady, sent), send(fragile, sent)])
  else {
    killSoon(story)
    await Promise.all([send(fragile, sent), send(steady, sent)])
  }
  crashes.restart()
}

/** Delivers a notice to a server that is not killed. */
export const deliverSafely = ({ servers }: Common, sent: SentNotice): Promise<void> =>
  send(servers.steady, sent)

const forgeries: readonly ((form: Form, other: Form) => Form)[] = [
  () => ({ am: '1', ta: '1' }),
  ({ am = '' }) => ({ am: `${am}0`, ta: `${am}0` }),
  ({ am = '' }) => ({ tx: '50', ta: String(Number(am) + 50) }),
  () => ({ aid: '999999' }),
  () => ({ auth_id: 'x'.repeat(43) }),
  () => ({ session_id: 'x'.repeat(22) }),
  () => ({ cod: 'x' }),
  () => ({ payment_id: newId() }),
  (_, other) => ({ payment_id: other['payment_id'] ?? newId() }),
  (_, other) => ({ auth_id: other['auth_id'] ?? '' }),
  (_, other) => ({ session_id: other['session_id'] ?? '' }),
  () => ({ ta: '' }),
]

/** Delivers a forged notice, with an own number, that of a charge on its way, or that of a recorded charge. */
export async function forge(story: Story): Promise<void> {
  const { random, forms, charges, recorded } = story
  const { form } = random.pick(forms)
  const others = forms.filter((it) => it.form !== form)
  const numbers = [newId(), ...charges.map((it) => it.gid)]
  const gid = random.pick(numbers)
  const other = others.length > 0 ? random.pick(others).form : {}
  // Right in every field, with the number of another payment's charge that is recorded.
  const isOthers = recorded.has(gid) && charges.some((it) => it.gid === gid && it.form !== form)
  const changed = isOthers && random.chance(0.5) ? {} : random.pick(forgeries)(form, other)
  const same = Object.entries(changed).every(([name, value]) => form[name] === value)
  if (same && !isOthers) return
  await deliver(story, { query: queryOf(form, gid, changed), charge: null })
}

/** The provider charges a form. */
export function chargeForm(story: Story, { form }: Begun): void {
  const amount = story.random.chance(0.04) ? 1 : Number(form['am'])
  const made = story.servers.provider.charge(newId(), form, amount)
  story.charges.push(made)
  sendNotices(story, made)
}

/** Sends the notice of a charge once, twice, in two texts, or not at all. */
export function sendNotices({ random, waiting }: Common, made: TrueCharge): void {
  if (random.chance(0.2)) return
  waiting.push(noticeOf(made))
  if (random.chance(0.3)) waiting.push(noticeOf(made))
  if (random.chance(0.15)) waiting.push(noticeOf(made, { x: 'again' }))
}
