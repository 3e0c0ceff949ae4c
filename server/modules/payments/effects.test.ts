// Live events, the audit log, the operator's tasks and the export of payments.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { decideDispute, openDispute } from '#server/services/billing/disputes.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import {
  accessOf,
  begun,
  ledgerOf,
  notice,
  noticeFields,
  openShop,
  rowsOf,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'
import { sweepPayments } from './sweep.ts'

const realtime = recordingRealtime()
let world: World
beforeAll(async () => {
  world = await openWorld({ parts: { realtime } })
})
afterAll(() => world.close())

const eventsOf = (userId: string) =>
  realtime.published.flatMap((it) =>
    it.event === 'payment.changed' && it.channel === personChannel(userId) ? [it.data] : [],
  )

test('the open apps of the buyer learn each new state, and a refund ends their live access', async () => {
  const { buyer, creator, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, { ...noticeFields(fields), rst: '2' })
  await notice(world, noticeFields(fields))
  expect(realtime.ended).toEqual([])
  await refundPayment(world.deps, id, { actorId: creator.id, ip: '192.0.2.1' })
  expect(eventsOf(buyer.id)).toEqual(
    ['refused', 'paid', 'refunded'].map((state) => ({ payment_id: id, post_id: postId, state })),
  )
  expect(realtime.ended).toEqual([{ is: 'permissions', userIds: [buyer.id] }])
  const audited = await rowsOf(world, 'select act, subject_kind, ip from audit_log where subject_id = $1', [
    id,
  ])
  expect(audited).toEqual([{ act: 'refund', subject_kind: 'payment', ip: '192.0.2.1' }])
})

test('a dispute ends the live access of the buyer, and a won one opens the post in open apps again', async () => {
  const { buyer, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, noticeFields(fields))
  const before = realtime.ended.length
  const by = { actorId: newId(), ip: '192.0.2.1' }
  const disputeId = newId()
  const asked = { id: disputeId, fee: 0, left: 500, reason: '不正な利用の申立て' }
  const { deps } = world
  await deps.transaction((unit) => openDispute(deps, unit, id, by, asked))
  await deps.transaction((unit) => decideDispute(deps, unit, disputeId, by, 'won'))
  const ending = { is: 'permissions', userIds: [buyer.id] }
  expect(realtime.ended.slice(before)).toEqual([ending, ending])
  expect(eventsOf(buyer.id).map((it) => it.state)).toEqual(['paid', 'disputed', 'paid'])
})

test('an expired payment is published once', async () => {
  const { buyer, postId } = await openShop(world)
  const { id } = await begun(world, buyer, postId)
  await sweepPayments(world.deps)
  expect(eventsOf(buyer.id)).toEqual([])
  world.clock.now += PAYMENT_OPEN_MS
  await Promise.all([sweepPayments(world.deps), sweepPayments(world.deps)])
  expect(eventsOf(buyer.id)).toEqual([{ payment_id: id, post_id: postId, state: 'expired' }])
})

test('the network of a payment is a keyed hash, and emptied after 30 days', async () => {
  const { buyer, postId } = await openShop(world)
  const { id } = await begun(world, buyer, postId)
  const network = async () =>
    (await rowsOf<{ network_mac: string }>(world, 'select network_mac from payments where id = $1', [id]))[0]
  expect((await network())?.network_mac).toMatch(/^[\w-]{43}$/)
  world.clock.now += 30 * 24 * 3600_000 + 1
  await sweepPayments(world.deps)
  expect(await network()).toEqual({ network_mac: '' })
})

test('the export has the payments of the person, and no identifier of the provider’s form', async () => {
  const { buyer, creator, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  await notice(world, noticeFields(fields))
  const of = async (person: typeof buyer) => {
    const file = (await exportOf(world, person)).find((it) => it.name === 'purchases.json')
    return String(file?.bytes)
  }
  const mine = await of(buyer)
  expect([mine.includes(id), mine.includes('"state": "paid"'), mine.includes('"amount": 500')]).toEqual([
    true,
    true,
    true,
  ])
  const secrets = [fields['session_id'], fields['auth_id']].filter((it) => mine.includes(it ?? '?'))
  expect(secrets).toEqual([])
  expect((await of(creator)).includes(id)).toBe(false)
})

test('a failure in the middle of handling leaves nothing, and the second run everything once', async () => {
  const { buyer, postId } = await openShop(world)
  const { id, fields } = await begun(world, buyer, postId)
  const before = await ledgerOf(world)
  await takeJobs(world, 'payment.notice')
  // The last statement of a purchase is that of its email.
  await rowsOf(world, 'alter table letters rename to letters_away')
  await notice(world, noticeFields(fields))
  await rowsOf(world, 'alter table letters_away rename to letters')
  const charges = () => rowsOf(world, 'select gid from charges where payment_id = $1', [id])
  expect([await stateOf(world, buyer, id), await accessOf(world, buyer, postId)]).toEqual([
    'pending',
    'purchase',
  ])
  expect([await charges(), await ledgerOf(world)]).toEqual([[], before])
  const [job] = await takeJobs(world, 'payment.notice')
  await handleNotice(world.deps, defined(job?.noticeId))
  await handleNotice(world.deps, defined(job?.noticeId))
  expect([await accessOf(world, buyer, postId), (await charges()).length]).toEqual(['full', 1])
})

test('the link form cannot refund: the money stays owed, and a task with a deadline stays open', async () => {
  const payments = { ...usualPayments, provider: 'link-form', url: 'https://pay.example/form' } as const
  const other = await openWorld({ settings: { payments } })
  const { buyer, creator, postId } = await openShop(other)
  const { id, fields } = await begun(other, buyer, postId)
  await notice(other, noticeFields(fields, 'g-1'))
  await refundPayment(other.deps, id, { actorId: creator.id, ip: '' })
  for (const it of await takeJobs(other, 'payment.refund')) await returnCharge(other.deps, it.chargeId)
  expect(await accessOf(other, buyer, postId)).toBe('purchase')
  expect(await ledgerOf(other)).toEqual({ provider_receivable: 500, refunds: -500 })
  const [task, ...more] = await listOpenTasks(other.deps.db, 10)
  expect([task?.kind, task?.details, more]).toEqual([
    'refund',
    { provider: 'link-form', chargeRef: 'g-1', amount: 500, refund: expect.any(String) },
    [],
  ])
  expect(task?.dueAt.getTime()).toBe(other.clock.now + 7 * 24 * 3600_000)
  await other.close()
})

test('a worker returns a surplus charge by itself', async () => {
  const busy = await openWorld({ worker: true })
  const { buyer, postId } = await openShop(busy)
  const { fields } = await begun(busy, buyer, postId)
  await notice(busy, noticeFields(fields))
  await notice(busy, noticeFields(fields, newId()))
  await expect.poll(() => ledgerOf(busy)).not.toHaveProperty('refunds')
  expect(await listOpenTasks(busy.deps.db, 10)).toEqual([])
  await busy.close()
})
