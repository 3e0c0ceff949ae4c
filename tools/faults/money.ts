// Faults planted in payments: notices, charges, the ledger and refunds.
import type { Fault } from './fault.ts'

const stories = ['server/sim/money.sim.ts']

/** `caughtBy` names an invariant of the stories, or a unit test. */
export const moneyFaults: readonly Fault[] = [
  {
    name: 'a buyer is not told of a charge that paid for nothing',
    file: 'server/services/payments/surplus.ts',
    find: '  await announceSurplus(unit, { ...payment, amount }, { reason, now })\n',
    replace: '',
    tests: ['server/modules/payments/payments.test.ts'],
    caughtBy: 'a charge of a post that was deleted meanwhile goes back',
  },
  {
    name: 'a charge of another amount in the provider’s list is only reported',
    file: 'server/services/billing/reconcile.ts',
    find: '  if (known) {\n',
    replace:
      "  if (form.kind === 'post' && form.amount !== amount) return report(ports, unit, 'amount', about)\n  if (known) {\n",
    tests: ['server/modules/payments/reconcile.test.ts'],
    caughtBy: 'returns a charge of another amount than was confirmed, and opens nothing',
  },
  {
    name: 'a notice that was handled is handled again',
    file: 'server/services/payments/charge.ts',
    find: "  if (known) return known.paymentId === payment.id ? 'unchanged' : 'foreign'\n",
    replace: '',
    tests: ['server/modules/payments/notices.test.ts'],
    caughtBy: 'the number of another payment’s charge is foreign',
  },
  {
    name: 'the number of another payment’s charge sells',
    file: 'server/services/payments/charge.ts',
    find: "return known.paymentId === payment.id ? 'unchanged' : 'foreign'",
    replace: "if (known.paymentId === payment.id) return 'unchanged'",
    tests: ['server/modules/payments/notices.test.ts'],
    caughtBy: 'the number of another payment’s charge is foreign',
  },
  {
    name: 'the total of a notice is not compared',
    file: 'server/rules/money/notice.ts',
    find: "  return payment.amounts.includes(notice.amount) ? undefined : 'amount'",
    replace: '  return undefined',
    tests: stories,
    caughtBy: 'each recorded charge is one that the provider made',
  },
  {
    name: 'the auth_id of a notice is not compared',
    file: 'server/rules/money/notice.ts',
    find: "  if (notice.authId !== payment.authId) return 'auth'\n",
    replace: '',
    tests: stories,
    caughtBy: 'each recorded charge is one that the provider made',
  },
  {
    name: 'the session_id of a notice is not compared',
    file: 'server/rules/money/notice.ts',
    find: "  if (notice.sessionId !== payment.sessionId) return 'session'\n",
    replace: '',
    tests: stories,
    caughtBy: 'each recorded charge is one that the provider made',
  },
  {
    name: 'two servers handle notices of one payment at the same time',
    file: 'server/store/payments/payments.ts',
    find: "where(eq(payments.id, id)).for('update'))[0]",
    replace: 'where(eq(payments.id, id)))[0]',
    tests: ['server/modules/payments/notices.test.ts'],
    caughtBy: 'other notices of the same charge at once change nothing either',
  },
  {
    name: 'a surplus charge is not booked',
    file: 'server/services/payments/surplus.ts',
    find: "  await bookEntry(unit, { cause: 'surplus', chargeId, creatorId: null, lines }, now)\n",
    replace: '',
    tests: stories,
    caughtBy: 'each charge has its entries, and each entry the lines of its event',
  },
  {
    name: 'a surplus charge is not returned',
    file: 'server/services/payments/surplus.ts',
    find: "  await enqueue('payment.refund', { chargeId })\n",
    replace: '',
    tests: stories,
    caughtBy: 'in the end each charge is a sale, or its money was returned once',
  },
  {
    name: 'a purchase is added before it is decided whether the post can be sold',
    file: 'server/services/payments/charge.ts',
    find: "  if (decided?.decision.is !== 'preview' || decided.post.type !== 3) return 'gone'\n  return (await addPurchase(",
    replace:
      '  await addPurchase(tx, postId, userId, amount, now)\n  if (decided) return null\n  return (await addPurchase(',
    tests: stories,
    caughtBy: 'no post is open without a true charge that paid for it',
  },
  {
    name: 'a charge of a post that its buyer cannot see is a sale',
    file: 'server/services/payments/charge.ts',
    find: "  if (decided?.decision.is !== 'preview' || decided.post.type !== 3) return 'gone'\n",
    replace: '',
    tests: stories,
    caughtBy: 'a charge for a post that can be sold opens it, exactly once',
  },
  {
    name: 'a refund leaves the post open',
    file: 'server/services/payments/refund.ts',
    find: "  if (step.access === 'revoked') await revokeAccess(unit, payment, now)\n",
    replace: '',
    tests: stories,
    caughtBy: 'a refunded purchase is closed',
  },
  {
    name: 'the return of a charge is booked under the cause of its refund',
    file: 'server/services/payments/refund.ts',
    find: "await addEntryOnce(tx, { cause: 'refund_paid', chargeId, refundId,",
    replace: "await addEntryOnce(tx, { cause: 'refund', chargeId, refundId,",
    tests: stories,
    caughtBy: 'each charge is a sale, or its money was returned once',
  },
  {
    name: 'a refund that a server did twice is booked twice',
    file: 'server/services/payments/refund.ts',
    find: "  if (step.is !== 'moved') return false\n",
    replace: "  if (step.is === 'foreign' || step.is === 'surplus') return false\n",
    tests: ['server/modules/payments/payments.test.ts'],
    caughtBy: 'a refund closes the post, reverses the sale and returns the money',
  },
  {
    name: 'the expiry overwrites a paid payment',
    file: 'server/rules/money/payment.ts',
    find: "      return isOpen(payment) ? moved('expired') : unchanged",
    replace: "      return moved('expired')",
    tests: ['server/rules/money/payment.test.ts'],
    caughtBy: 'a payment that is',
  },
  {
    name: 'the price is that of the request',
    file: 'server/services/payments/begin.ts',
    find: "  if (offered.price !== price) throw new ApiError('price_changed')\n  return offered\n",
    replace: '  return { ...offered, price }\n',
    tests: stories,
    caughtBy: 'a payment has the price that the post had when it was begun',
  },
  {
    name: 'a notice whose handling fails counts as handled',
    file: 'server/modules/payments/notice-routes.ts',
    find: '    app.log.error({ err: error, noticeId }, ',
    replace:
      "    await deps.transaction(async ({ tx }) => setNoticeHandled(tx, noticeId, { outcome: 'lost', paymentId: null }, deps.clock()))\n    app.log.error({ err: error, noticeId }, ",
    tests: ['server/modules/payments/bad-notices.test.ts'],
    caughtBy: 'a notice whose handling fails is stored, answered and handled by the job',
  },
  {
    name: 'a notice counts as handled before it is handled',
    file: 'server/services/billing/handle-notice.ts',
    find: `export function handleNotice(ports: PaymentPorts, noticeId: string): Promise<HandledNotice | undefined> {
  const { transaction, clock, paymentProviders } = ports
  return transaction(async (unit) => {
    const row = await lockNotice(unit.tx, noticeId)
`,
    replace: `export async function handleNotice(ports: PaymentPorts, noticeId: string): Promise<HandledNotice | undefined> {
  const { transaction, clock, paymentProviders } = ports
  const row = await transaction(async ({ tx }) => {
    const first = await lockNotice(tx, noticeId)
    if (first?.handledAt === null) await setNoticeHandled(tx, noticeId, { outcome: '', paymentId: null }, clock())
    return first
  })
  return transaction(async (unit) => {
`,
    tests: stories,
    caughtBy: 'a notice that was answered with 200 is handled without another one',
  },
  {
    name: 'a sale has no lines of the fee',
    file: 'server/rules/money/ledger.ts',
    find: "    line('creator_payable', -creator, creatorId),\n    line('platform_fee', -fee),\n    line('fee_tax', -feeTax),\n",
    replace: "    line('creator_payable', -(creator + fee + feeTax), creatorId),\n",
    tests: stories,
    caughtBy: 'each charge has its entries, and each entry the lines of its event',
  },
]
