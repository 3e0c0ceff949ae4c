// Every endpoint of staff writes to the audit log: a walk through all of them.
import { existsSync, readFileSync } from 'node:fs'
import { defined } from '#contract/testing/defined.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { newId } from '#contract/ids.ts'
import { dayAfter, dayOf } from './rules/money/periods.ts'
import { decide as decideDispute, dispute, give, setRate } from './testing/adjustments/adjustments.ts'
import { openClub } from './testing/memberships/club.ts'
import { inquiriesIn } from './testing/moderation/inquiries.ts'
import { acting, deskIn } from './testing/moderation/desk.ts'
import { chatIn, outcomeOf } from './testing/messages/chat.ts'
import { buy } from './testing/payments/bought.ts'
import { pricedPost } from './testing/payments/shop.ts'
import { inTokyo } from './testing/payments/sold.ts'
import * as payouts from './testing/payouts/payouts.ts'
import { comparedBy, documents, identify, prepared, readFiles, submit } from './testing/people/identity.ts'
import { call, type Member, type Reply, signUp } from './testing/people/members.ts'
import { openWorld, type World } from './testing/world.ts'

/** Endpoints that write nothing, with the reason. */
const without: Record<string, string> = {
  getDesk: 'the role of the caller, and nothing about another person',
  listFeeRates: 'a part of the page of a search, which is an entry',
  listComplimentary: 'a part of the page of a search, which is an entry',
  listSettlements: 'transfers of the provider, and nothing about a person',
  listPayoutExports: 'days and sums of files; reading a file is an entry',
  listTemplates: 'texts of the operator, of no person',
  listOperatorWords: 'words of the operator, and of no person',
  listNotices: 'texts of the operator, of no person',
  getNoticeDetail: 'a text of the operator, and numbers of its readers',
  previewNotice: 'a text of the operator, which is not stored',
  countNoticeAudience: 'the number of people of an audience',
  listBuilds: 'numbers of sessions',
  getMachine: 'figures of servers and numbers of jobs and files, of no person',
  listFailedJobs: 'kinds and errors of jobs, of no person',
  getRuntimeSettings: 'settings of the operator, of no person',
  listSettingChanges: 'what admins changed, which has entries itself',
  listInvitations: 'codes and numbers of uses, of no person',
}

/** Endpoints whose entry a test of their module asserts, since they need more than a walk: the act, and the test. */
const elsewhere: Record<string, readonly [act: string, test: string]> = {
  refundByAdmin: ['refund', 'server/modules/adjustments/refunds.test.ts'],
  closeOperatorTask: ['task.close', 'server/modules/payments/reconcile.test.ts'],
  reconcileByAdmin: ['reconcile', 'server/modules/payments/reconcile.test.ts'],
  readPayeeContact: ['balance.contact', 'server/modules/payouts/departed.test.ts'],
  requestLastPayout: ['balance.request', 'server/modules/payouts/departed.test.ts'],
  clearBalance: ['balance.clear', 'server/modules/payouts/departed.test.ts'],
  addSettlement: ['settlement.record', 'server/modules/adjustments/settlements.test.ts'],
  reverseSettlement: ['settlement.reverse', 'server/modules/adjustments/settlements.test.ts'],
  answerSellerRequest: ['seller_request.answer', 'server/modules/sellers/requests.test.ts'],
  addNotice: ['notice.add', 'server/modules/notices/drafts.test.ts'],
  changeNotice: ['notice.change', 'server/modules/notices/drafts.test.ts'],
  removeNotice: ['notice.remove', 'server/modules/notices/drafts.test.ts'],
  actOnNotice: ['notice.publish', 'server/modules/notices/publishing.test.ts'],
  putNoticePicture: ['notice.picture', 'server/modules/notices/drafts.test.ts'],
  removeNoticePicture: ['notice.picture', 'server/modules/notices/drafts.test.ts'],
  retryFailedJobs: ['jobs.retry', 'server/modules/machine/machine.test.ts'],
  dropFailedJobs: ['jobs.drop', 'server/modules/machine/machine.test.ts'],
  listFailedMedia: ['media.list_failed', 'server/modules/machine/machine.test.ts'],
  retryMediaByStaff: ['media.retry', 'server/modules/machine/machine.test.ts'],
}

/** Endpoints that require a validation of the last ten minutes: each is also called without one. */
const fresh = new Set([
  'readPersonEmail',
  'endPersonSessions',
  'removePersonPasskeys',
  'removePersonSecondFactor',
  'beginAccountRecovery',
  'requestAuthorityExport',
  'setRole',
  'decideCase',
  'undoDecision',
  'decideInquiry',
  'answerAppeal',
  'addFeeRate',
  'addComplimentary',
  'endComplimentary',
  'disputeByAdmin',
  'decideDispute',
  'decidePayout',
  'approvePayouts',
  'exportPayouts',
  'voidPayoutExport',
  'importPayoutResults',
  'recordBankFee',
  'settlePayout',
  'changeRuntimeSettings',
  'addInvitations',
  'revokeInvitation',
])

describe('each endpoint of staff', () => {
  let world: World
  let [by, second, person] = [] as unknown as [Member, Member, Member]
  const walked = new Set<string>()
  beforeAll(async () => {
    world = await openWorld()
    world.clock.now = inTokyo('2026-11-01T12:00')
    by = await payouts.operator(world)
    second = await payouts.operator(world)
    person = await signUp(world)
    return () => world.close()
  })

  const acts = async (): Promise<string[]> => {
    const { rows } = await world.database.executeSql(
      'select act from audit_log where actor_id in ($1, $2) order by seq',
      [by.id, second.id],
    )
    return rows.map((it) => (it as { act: string }).act)
  }
  /** Sends a request in a session without a validation, which must change nothing. */
  async function refuseStale(name: string, send: () => Promise<Reply>): Promise<void> {
    const before = await acts()
    await world.database.executeSql('update sessions set validated_at = null where user_id in ($1, $2)', [
      by.id,
      second.id,
    ])
    const reply = await send()
    expect([name, outcomeOf(reply), await acts()]).toEqual([name, 'validation_required', before])
    for (const it of [by, second]) await identify(world, it)
  }
  /** Sends a request, which must succeed and leave these acts, and nothing else. */
  async function walk(name: string, expected: readonly string[], send: () => Promise<Reply>): Promise<Reply> {
    const before = (await acts()).length
    if (fresh.has(name)) await refuseStale(name, send)
    const reply = await send()
    expect([name, reply.statusCode, (await acts()).slice(before)]).toEqual([name, 200, expected])
    walked.add(name)
    return reply
  }
  const get = (path: string) => () => call(world, by, 'GET', path)
  const post = (path: string, body: object) => () => call(world, by, 'POST', path, body)

  test('that reads a list or a person', async () => {
    expect.hasAssertions()
    await walk('listOperatorTasks', ['tasks.list'], get('/admin/tasks'))
    await walk('searchAdjustments', ['adjustments.search'], get(`/admin/adjustments?q=${person.email}`))
    await walk('listAdminPayouts', ['payouts.list'], get('/admin/payouts?list=open'))
    await walk('listStrandedBalances', ['balances.list'], get('/admin/balances'))
    await walk('listIssuedDocuments', ['issued_documents.list'], get('/admin/issued-documents?kind=receipt'))
    await walk('listWaitingSellerRequests', ['seller_requests.list'], get('/admin/seller-requests'))
    await walk('listIdentityChecks', ['identity.list'], get('/admin/identity/checks?list=waiting'))
    await walk('listAudit', ['audit.list'], get('/admin/audit'))
    await walk('listReservedNames', ['reserved_names.read'], get('/admin/reserved-names'))
    await walk('listStaff', ['staff.list'], get('/admin/staff'))
    await walk('findPeople', ['people.search'], get(`/admin/people?q=${person.email}`))
    await walk('readPerson', ['person.read'], get(`/admin/people/${person.id}`))
    await walk('listAuthorityExports', ['authority_export.list'], get(`/admin/people/${person.id}/exports`))
    const chat = chatIn(() => world)
    const reader = await signUp(world)
    await chat.follow(reader, person)
    const { id } = await chat.write(person, reader, '通報される文')
    const reported = await call(world, reader, 'PUT', `/reports/message/${id}`, {
      reason: 'harassment',
      detail: '',
    })
    const report = reported.json().report.id
    await walk('getReportedMessages', ['report.read_messages'], get(`/admin/reports/${report}/messages`))
  })

  test('that acts on a person', async () => {
    expect.hasAssertions()
    const reason = { reason: 'owner_asked' }
    const of = `/admin/people/${person.id}`
    await walk('readPersonEmail', ['person.read_email'], post(`${of}/email`, {}))
    await walk('endPersonSessions', ['person.end_sessions'], post(`${of}/end-sessions`, reason))
    await walk('removePersonPasskeys', ['person.remove_passkeys'], post(`${of}/remove-passkeys`, reason))
    await walk('removePersonSecondFactor', ['person.remove_totp'], post(`${of}/remove-totp`, reason))
    await walk('beginAccountRecovery', ['recovery.begin'], post(`${of}/recovery`, { proof: 'account_email' }))
    const asked = { case_number: '1', from: '2026-10-01', to: '2026-10-02' }
    await walk('requestAuthorityExport', ['authority_export.request'], post(`${of}/exports`, asked))
    await walk('setRole', ['role.set'], post('/admin/staff', { person: person.id, role: 'finance' }))
  })

  test('that changes settings and makes invitations', async () => {
    expect.hasAssertions()
    await walk('changeRuntimeSettings', ['settings.change'], post('/admin/settings', { posts_per_day: 9 }))
    const made = await walk('addInvitations', ['invitation.add'], () =>
      call(world, by, 'POST', '/admin/invitations', { count: 1, uses: 1, days: 1 }),
    )
    const revoke = `/admin/invitations/${made.json().invitations[0].id}/revoke`
    await walk('revokeInvitation', ['invitation.revoke'], post(revoke, {}))
  })

  test('that decides what was reported', async () => {
    expect.hasAssertions()
    const desk = deskIn(() => world)
    const author = await signUp(world)
    await desk.report(await signUp(world), `post/${await desk.publish(author)}`)
    const [found] = await desk.list(by, '?kind=post')
    const of = (action: string, body: object = {}) => post(`/admin/cases/${found?.id}/${action}`, body)
    const opened = await walk(
      'openCase',
      ['case.open'],
      post('/admin/cases', { kind: 'person', target_id: author.id }),
    )
    await post(`/admin/cases/${opened.json().case.id}/leave`, {})()
    await walk('readPersonCases', ['person.cases'], get(`/admin/people/${author.id}/cases`))
    await walk('listPersonContent', ['person.content'], get(`/admin/people/${author.id}/content`))
    await walk('listCases', ['cases.list'], get('/admin/cases'))
    await walk('getCase', ['case.read'], get(`/admin/cases/${found?.id}`))
    await walk('takeCase', ['case.take'], of('take'))
    await walk('leaveCase', ['case.leave'], of('leave'))
    await of('take')()
    const decision = { seen: 1, decision: { ...acting, content: 'hide' } }
    await walk('decideCase', ['case.decide'], of('decide', decision))
    await walk('undoDecision', ['case.undo'], of('undo'))
    await of('take')()
    await of('decide', decision)()
    const own = (await desk.own(author)).find((it) => it.appeal_until !== null)
    await desk.appeal(author, { decision_id: own?.id, text: '引用です' })
    await desk.take(second, defined(found).id)
    const answer = { granted: true, answer: '確認しました。' }
    await walk('answerAppeal', ['case.answer'], () =>
      call(world, second, 'POST', `/admin/cases/${found?.id}/answer`, answer),
    )
    const template = `/admin/templates/${newId()}`
    const text = { use: 'person', name: '警告', text: '決まりをご確認ください。' }
    await walk('saveTemplate', ['template.save'], () => call(world, by, 'PUT', template, text))
    await walk('removeTemplate', ['template.remove'], () => call(world, by, 'DELETE', template))
    const added = await walk('addOperatorWord', ['word.add'], post('/admin/words', { word: '黒い言葉' }))
    const word = `/admin/words/${added.json().word.id}`
    await walk('removeOperatorWord', ['word.remove'], () => call(world, by, 'DELETE', word))
  })

  test('that handles an inquiry', async () => {
    expect.hasAssertions()
    const form = inquiriesIn(() => world)
    const desk = deskIn(() => world)
    const shown = await desk.publish(await signUp(world))
    const one = await form.file({ kind: 'copyright', url: form.urlOf(shown) })
    const two = await form.file({ kind: 'contact', email: 'two@example.com' })
    const of = (id: string, action: string, body: object = {}) =>
      post(`/admin/inquiries/${id}/${action}`, body)
    await walk('listInquiries', ['inquiries.list'], get('/admin/inquiries'))
    await walk('getInquiry', ['inquiry.read'], get(`/admin/inquiries/${one}`))
    await walk('takeInquiry', ['inquiry.take'], of(one, 'take'))
    await walk('leaveInquiry', ['inquiry.leave'], of(one, 'leave'))
    for (const id of [one, two]) await of(id, 'take')()
    const text = { text: '教えてください。' }
    await walk('askSender', ['inquiry.ask_sender'], of(two, 'ask-sender', text))
    await walk('askAuthor', ['inquiry.ask_author'], of(one, 'ask-author', text))
    await of(one, 'take')()
    const refused = { outcome: 'refused', text_to_sender: '引用です。', measure: null }
    await walk('decideInquiry', ['inquiry.decide'], of(one, 'decide', refused))
  })

  test('that examines an identity check', async () => {
    expect.hasAssertions()
    const files = await documents()
    const check = async () => {
      const it = await signUp(world)
      return (await submit(world, it, await prepared(world, it, files))).json().data.id
    }
    const [one, two] = [await check(), await check()]
    const of = (id: string, action: string, body: object = {}) =>
      post(`/admin/identity/checks/${id}/${action}`, body)
    await walk('takeIdentityCheck', ['identity.take'], of(one, 'take'))
    await walk('getIdentityCheck', ['identity.read'], get(`/admin/identity/checks/${one}`))
    await walk('returnIdentityCheck', ['identity.return'], of(one, 'return'))
    for (const id of [one, two]) await of(id, 'take')()
    for (const id of [one, two]) await get(`/admin/identity/checks/${id}`)()
    await identify(world, by)
    await readFiles(world, by, one)
    const compared = await comparedBy(world, by, one)
    await walk('approveIdentityCheck', ['identity.approve'], of(one, 'approve', compared))
    const rejected = { reason: 'unreadable', note: '' }
    await walk('rejectIdentityCheck', ['identity.reject'], of(two, 'reject', rejected))
  })

  test('that changes fees, gives plans and records disputes', async () => {
    expect.hasAssertions()
    const { creator, fan, plan } = await openClub(world)
    const tomorrow = dayAfter(dayOf(world.clock.now), 1)
    await walk('addFeeRate', ['fee_rate'], () =>
      setRate(world, by, creator.id, { first_day: tomorrow, rate: 500 }),
    )
    const given = { id: newId(), plan_id: plan.id, member: fan.email, ends_on: dayAfter(tomorrow, 30) }
    await walk('addComplimentary', ['complimentary.give'], () => give(world, by, given))
    const end = `/admin/complimentary/${given.id}/end`
    await walk('endComplimentary', ['complimentary.end'], post(end, { preview: false }))
    const payment = await buy(world, fan, await pricedPost(world, creator))
    const id = newId()
    await walk('disputeByAdmin', ['dispute.open'], () => dispute(world, by, payment, { id, left: 500 }))
    await walk('decideDispute', ['dispute.won'], () => decideDispute(world, by, id, 'won'))
  })

  test('that pays creators', async () => {
    expect.hasAssertions()
    const creators = [await payouts.soldOnce(world, 20_000), await payouts.soldOnce(world, 30_000)]
    await identify(world, by)
    await identify(world, second)
    for (const it of creators) await payouts.storeAccount(world, it)
    world.clock.now += 4 * 24 * 3600_000
    const [one = '', two = ''] = await Promise.all(creators.map((it) => payouts.requested(world, it)))
    for (const it of [by, second]) await identify(world, it)
    world.clock.now += 4 * 24 * 3600_000
    for (const it of [by, second]) await identify(world, it)
    const hold = { is: 'hold', reason: '確認のため' }
    await walk('decidePayout', ['payout.hold'], () => payouts.decide(world, by, one, hold))
    await payouts.decide(world, by, one, { is: 'release' })
    const each = (act: string) => [act, act]
    // The first payout of a creator is approved alone.
    await payouts.listOpen(world, by)
    await walk('approvePayouts', ['payout.approve'], () => payouts.approveUnread(world, by, one))
    await payouts.approve(world, by, two)
    const [first, again] = [newId(), newId()]
    const exported = each('payout.export')
    await walk('exportPayouts', exported, () => payouts.makeFile(world, second, first))
    const voided = [...each('payout.void'), 'payout.file.void']
    await walk('voidPayoutExport', voided, () => payouts.voidFile(world, second, first))
    await payouts.makeFile(world, second, again)
    const file = (await payouts.readFile(world, second, again)).rawPayload
    const results = payouts.withResult(file, '0')
    await walk('importPayoutResults', each('payout.pay'), () => payouts.sendResults(world, second, results))
    const returned = { is: 'returned', reason: '組戻です。', keeps_fee: true }
    await walk('settlePayout', ['payout.return'], () => payouts.settle(world, second, two, returned))
    await walk('recordBankFee', ['payout.file.fee'], () => payouts.recordFee(world, second, again, 660))
  })

  test('is walked, or has a reason or a test of its own', () => {
    const staff = endpoints.filter((it) => it.audience.startsWith('staff:')).map((it) => it.name)
    const known = [...walked, ...Object.keys(without), ...Object.keys(elsewhere)]
    expect(known.toSorted()).toEqual(staff.toSorted())
    for (const [act, file] of Object.values(elsewhere))
      expect([file, existsSync(file) && readFileSync(file, 'utf8').includes(`'${act}'`)]).toEqual([
        file,
        true,
      ])
  })
})
