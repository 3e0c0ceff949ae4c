// What fans do in a story, from joining a plan to leaving the app.
import { newId } from '#contract/ids.ts'
import { killSoon, sendNotices } from '#server/sim/deliveries.ts'
import { queryOf } from '#server/sim/provider.ts'
import { call, type Reply } from '#server/testing/people/members.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { type BegunPayment, fieldsOf } from '#server/testing/payments/shop.ts'
import type { ClubMembership } from './observed.ts'
import type { ClubStory, PlanForm } from './story.ts'

export async function join(story: ClubStory): Promise<void> {
  const { random, fans, plans, forms, confirmed, servers } = story
  // Mostly one who is no member yet.
  const others = fans.filter((it) => !running(story).some(({ user_id: id }) => id === it.member.id))
  const [fan, plan] = [random.pick(others.length > 0 ? others : fans), random.pick(plans)]
  const mine = forms.filter((it) => it.fan === fan && it.plan === plan)
  const paymentId = mine.length > 0 && random.chance(0.15) ? random.pick(mine).paymentId : newId()
  const isKilled = random.chance(0.1)
  if (isKilled) killSoon(story)
  const world = isKilled ? servers.fragile : servers.steady
  const price = random.chance(0.9) ? plan.price : 100
  const body = { payment_id: paymentId, plan_id: plan.id, price }
  const reply = await call(world, fan.member, 'POST', '/memberships', body)
  servers.crashes.restart()
  if (!confirmed.has(paymentId))
    confirmed.set(paymentId, {
      fanId: fan.member.id,
      prices: new Set([plan.price]),
      plans: new Set([plan.id]),
      isStopped: false,
      wasStopped: false,
      wasRefunded: false,
    })
  if (reply.statusCode !== 200) return
  const begun = reply.json<BegunPayment>()
  if (begun.start) forms.push({ paymentId: begun.id, fan, plan, form: fieldsOf(begun) })
  // Most fans pay at once.
  if (begun.start && random.chance(0.7)) payForm(story, forms.at(-1))
}

/** Pays a form, also one that was paid before; each time makes a recurring charge. */
export function payForm(story: ClubStory, begun: PlanForm = story.random.pick(story.forms)): void {
  const { random, servers, charges } = story
  const form = tamperedWith(story, begun)
  const recurring = servers.provider.recur(newId(), form)
  if (form['am'] === '0') {
    // At times the notice is lost, so that the first month or the list is the first to show it.
    const query = queryOf(form, newId(), { acid: recurring.acid })
    if (random.chance(0.8)) story.waiting.push({ query, charge: null })
    return
  }
  const amount = form === begun.form && random.chance(0.02) ? 1 : Number(form['am'])
  const made = servers.provider.charge(newId(), form, amount, recurring.acid)
  charges.push(made)
  sendNotices(story, made)
}

/** The form, at times with another monthly amount. */
const tamperedWith = ({ random }: ClubStory, { form }: PlanForm) =>
  random.chance(0.03) ? { ...form, acam: '1' } : form

export function refuseCard({ forms, random, waiting }: ClubStory): void {
  const { form } = random.pick(forms)
  waiting.push({ query: queryOf(form, newId(), { rst: '2', ec: 'ER003' }), charge: null })
}

export const running = ({ observed }: ClubStory): ClubMembership[] =>
  observed.memberships.filter((it) => it.state !== 'ended')

/** Sends a request of the member about a running membership, to a server that may be killed. */
async function ask(
  story: ClubStory,
  it: ClubMembership,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Reply | undefined> {
  const { random, servers, fans } = story
  const fan = fans.find(({ member }) => member.id === it.user_id)
  if (!fan) return undefined
  const isKilled = random.chance(0.15)
  if (isKilled) killSoon(story)
  const world = isKilled ? servers.fragile : servers.steady
  const reply = await call(world, fan.member, method, `/memberships/${it.id}${path}`, body)
  const wasKilled = servers.crashes.restart()
  // A killed server may have committed it: the fan sends the request again.
  return wasKilled ? call(servers.steady, fan.member, method, `/memberships/${it.id}${path}`, body) : reply
}

export async function cancel(story: ClubStory): Promise<void> {
  const it = story.random.pick(running(story))
  const reply = await ask(story, it, 'POST', '/cancel', {})
  const known = story.confirmed.get(it.id)
  if (known && reply?.statusCode === 200) Object.assign(known, { isStopped: true, wasStopped: true })
}

export async function resume(story: ClubStory): Promise<void> {
  const it = story.random.pick(running(story))
  const reply = await ask(story, it, 'POST', '/resume', { price: it.price })
  const known = story.confirmed.get(it.id)
  if (known && reply?.statusCode === 200) known.isStopped = false
}

/** Changes to any plan, or agrees to the price of the same one, from the next charge on. */
export async function changeNext(story: ClubStory): Promise<void> {
  const it = story.random.pick(running(story))
  const plan = story.random.pick(story.plans)
  const known = story.confirmed.get(it.id)
  // Before the request: a killed server may have committed it.
  known?.prices.add(plan.price)
  known?.plans.add(plan.id)
  // At times the page shows an earlier price.
  const price = story.random.chance(0.9) ? plan.price : 100
  await ask(story, it, 'PUT', '/next', { plan_id: plan.id, price })
}

export async function revokeNext(story: ClubStory): Promise<void> {
  await ask(story, story.random.pick(running(story)), 'DELETE', '/next')
}

/** A fan blocks the creator or is blocked, or the block is removed. */
export async function block({ random, fans, creator, servers, blocks }: ClubStory): Promise<void> {
  const fan = random.pick(fans)
  const isByFan = random.chance(0.5)
  const isOn = isByFan ? fan.blocks : fan.isBlocked
  const [as, whom] = isByFan ? [fan.member, creator] : [creator, fan.member]
  const reply = await call(servers.steady, as, isOn ? 'DELETE' : 'PUT', `/blocks/${whom.id}`)
  if (reply.statusCode !== 200) return
  blocks.add(`${isByFan ? 'by' : 'of'} ${fan.member.id}`)
  if (isByFan) fan.blocks = !isOn
  else fan.isBlocked = !isOn
}

/** An account is to be deleted, or the deletion is cancelled. */
export async function leaveApp(story: ClubStory): Promise<void> {
  const { random, servers, fans, creator, leaving } = story
  const member = random.chance(0.7) ? random.pick(fans).member : creator
  if (leaving.has(member.id) && random.chance(0.5)) {
    await call(servers.steady, member, 'DELETE', '/user/deletion')
    return
  }
  if ((await leave(servers.steady, member)).statusCode === 200) leaving.add(member.id)
}
