// What happens in a story of payouts: sales, requests, approvals, files, results, time.
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { newId } from '#contract/ids.ts'
import type { PayoutOverview } from '#contract/payouts/payouts.ts'
import { sweepPayouts } from '#server/modules/payouts/sweep.ts'
import { sweepTransferFiles } from '#server/modules/payouts/transfer.ts'
import { sweepSales } from '#server/modules/sales/closing.ts'
import { dayOf, monthAfter, monthOf, monthRange } from '#server/rules/money/periods.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { refundInUnit } from '#server/services/billing/refund-payment.ts'
import { addMember } from '#server/sim/cast.ts'
import { DAY, HOUR } from '#server/sim/months.ts'
import { noticeOf } from '#server/sim/provider.ts'
import { begun, notice } from '#server/testing/payments/shop.ts'
import { approve, decide, makeFile } from '#server/testing/payouts/payouts.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call } from '#server/testing/people/members.ts'
import {
  deliverFile,
  filesToDeliver,
  importResults,
  recordFeeOfFile,
  sendBack,
  voidUndelivered,
} from './bank.ts'
import { PRICE } from './cast.ts'
import { actingAdmin, onSomeServer, proven } from './servers.ts'
import type { PayoutStory } from './story.ts'

type Action = (story: PayoutStory) => Promise<void>

export async function sell({ servers, cast, random }: PayoutStory): Promise<void> {
  const { steady, provider } = servers
  for (let n = random.between(1, 3); n > 0; n--) {
    const { fields } = await begun(steady, await addMember(steady), cast.postId, { price: PRICE })
    await notice(steady, noticeOf(provider.charge(newId(), fields, PRICE)).query)
  }
}

/** Refunds a payment in part or whole, also one whose share was paid out. */
async function refund({ servers, cast, random }: PayoutStory): Promise<void> {
  const { database, deps } = servers.steady
  const { rows } = await database.executeSql(
    `select id, amount - refunded_amount as left from payments where creator_id = $1 and state = 'paid' order by id`,
    [cast.creator.id],
  )
  const paid = rows as { id: string; left: number }[]
  if (paid.length === 0) return
  const { id, left } = random.pick(paid)
  const amount = random.chance(0.5) ? left : random.between(1, left)
  const [admin = cast.creator] = cast.admins
  const by = { actorId: admin.id, ip: '' }
  await deps.transaction((unit) =>
    refundInUnit(deps, unit, id, by, { id: newId(), amount, left, reason: '返金' }),
  )
}

/** Hours, days, or the first hours of the next month. */
async function pass({ servers, random }: PayoutStory): Promise<void> {
  const { clock } = servers.steady
  const next = monthRange(monthAfter(monthOf(clock.now))).from + random.between(1, 30) * HOUR
  clock.now = random.pick([clock.now + 2 * HOUR, clock.now + 4 * DAY, clock.now + 9 * DAY, next])
}

const sweep: Action = (story) =>
  onSomeServer(story, async ({ deps }) => {
    for (const work of [sweepSales, sweepPayouts, sweepTransferFiles]) await work(deps)
  })

async function request(story: PayoutStory): Promise<void> {
  const { servers, cast, random } = story
  const overview = (await call(servers.steady, cast.creator, 'GET', '/payouts')).json<PayoutOverview>()
  const amount = random.chance(0.9) ? overview.available : overview.available + 1
  const id = newId()
  await onSomeServer(story, (world) => call(world, cast.creator, 'POST', '/payouts', { id, amount }))
}

export async function storeAccount(story: PayoutStory): Promise<void> {
  const { servers, cast, random } = story
  const number = String(random.between(1, 9_999_999)).padStart(7, '0')
  const reply = await call(
    servers.steady,
    await proven(story, cast.creator),
    'PUT',
    '/payouts/bank-account',
    {
      bank_code: '0001',
      branch_code: '001',
      type: '1',
      number,
      holder: 'ヤマダ　ハナコ',
      residence: 'japan',
    },
  )
  if (reply.statusCode === 200) story.account = number
}

export async function removeAccount(story: PayoutStory): Promise<void> {
  const { servers, cast } = story
  await call(servers.steady, await proven(story, cast.creator), 'DELETE', '/payouts/bank-account')
  story.account = ''
}

const idsIn = ({ observed }: PayoutStory, ...states: string[]) =>
  observed.payouts.filter((it) => states.includes(it.state)).map((it) => it.id)

async function approveOne(story: PayoutStory): Promise<void> {
  const ids = idsIn(story, 'requested')
  if (ids.length === 0) return
  const [as, id] = [await actingAdmin(story), story.random.pick(ids)]
  await onSomeServer(story, (world) => approve(world, as, id))
}

async function decideOne(story: PayoutStory): Promise<void> {
  const { random } = story
  const ids = idsIn(story, 'requested', 'held', 'approved', 'exported')
  if (ids.length === 0) return
  const [as, id] = [await actingAdmin(story), random.pick(ids)]
  const is = random.pick(['hold', 'release', 'release', 'cancel'] as const)
  const body = is === 'release' ? { is } : { is, reason: '確認のため' }
  await onSomeServer(story, (world) => decide(world, as, id, body))
}

/** Makes a file, repeats the request of an earlier one, or makes two at the same time. */
async function exportFile(story: PayoutStory): Promise<void> {
  const { random, fileIds, servers } = story
  const id = fileIds.length > 0 && random.chance(0.3) ? random.pick(fileIds) : newId()
  fileIds.push(id)
  const day = dueDay(dayOf(servers.steady.clock.now))
  const as = await actingAdmin(story)
  if (random.chance(0.3)) {
    const [other, otherId] = [await actingAdmin(story), newId()]
    fileIds.push(otherId)
    await Promise.all([makeFile(servers.steady, as, id, day), makeFile(servers.fragile, other, otherId, day)])
    return
  }
  await onSomeServer(story, (world) => makeFile(world, as, id, day))
}

/** The creator requests the deletion, and takes it back or is erased seven days later. */
async function leaveOrStay(story: PayoutStory): Promise<void> {
  const { servers, cast, random } = story
  const { steady } = servers
  await leave(steady, cast.creator)
  if (random.chance(0.2)) {
    steady.clock.now += random.between(1, 6) * DAY
    await sweep(story)
    await call(steady, cast.creator, 'DELETE', '/user/deletion')
    return
  }
  steady.clock.now += LEAVING_MS
  await onSomeServer(story, deleteDue)
  await deleteDue(steady)
  story.hasLeft = true
}

interface Weighted {
  readonly name: string
  readonly weight: number
  readonly act: Action
  readonly isPossible?: (story: PayoutStory) => boolean
}

const hasIn =
  (...states: string[]) =>
  (story: PayoutStory) =>
    idsIn(story, ...states).length > 0
const isHere = ({ hasLeft }: PayoutStory) => !hasLeft
const hasUndelivered = (story: PayoutStory) => filesToDeliver(story).length > 0

const actions: readonly Weighted[] = [
  { name: 'sell', weight: 10, act: sell, isPossible: isHere },
  { name: 'refund', weight: 3, act: refund },
  { name: 'pass', weight: 10, act: pass },
  { name: 'sweep', weight: 10, act: sweep },
  { name: 'request', weight: 8, act: request, isPossible: isHere },
  {
    name: 'store an account',
    weight: 10,
    act: storeAccount,
    isPossible: (it) => isHere(it) && it.account === '',
  },
  {
    name: 'change the account',
    weight: 1.5,
    act: storeAccount,
    isPossible: (it) => isHere(it) && it.account !== '',
  },
  { name: 'remove the account', weight: 0.5, act: removeAccount, isPossible: isHere },
  { name: 'leave', weight: 1, act: leaveOrStay, isPossible: isHere },
  { name: 'approve', weight: 16, act: approveOne, isPossible: hasIn('requested') },
  {
    name: 'decide',
    weight: 3,
    act: decideOne,
    isPossible: hasIn('requested', 'held', 'approved', 'exported'),
  },
  { name: 'export', weight: 20, act: exportFile, isPossible: hasIn('approved') },
  { name: 'export again', weight: 2, act: exportFile, isPossible: ({ fileIds }) => fileIds.length > 0 },
  { name: 'deliver a file', weight: 15, act: deliverFile, isPossible: hasUndelivered },
  { name: 'void a file', weight: 4, act: voidUndelivered, isPossible: hasUndelivered },
  { name: 'import results', weight: 12, act: importResults, isPossible: hasIn('exported') },
  { name: 'import results again', weight: 2, act: importResults },
  {
    name: 'record the fee of a file',
    weight: 8,
    act: recordFeeOfFile,
    isPossible: ({ observed }) => observed.files.length > 0,
  },
  { name: 'send back', weight: 2, act: sendBack, isPossible: hasIn('paid') },
]

/** Performs one possible action. */
export async function act(story: PayoutStory): Promise<void> {
  const possible = actions.filter((it) => it.isPossible?.(story) ?? true)
  let left = story.random.next() * possible.reduce((sum, it) => sum + it.weight, 0)
  const chosen = possible.find((it) => (left -= it.weight) < 0) ?? possible[0]
  story.action = chosen?.name ?? ''
  await chosen?.act(story)
}
