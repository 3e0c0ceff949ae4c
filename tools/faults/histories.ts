// Faults that the simulated histories of money must notice; docs/money.md has them by invariant.
import type { Fault } from './fault.ts'

const stories = ['server/sim/money.sim.ts']
const ofPayouts = ['server/sim/payouts.sim.ts']

const kept = 'what was bought stays with its buyer through blocks and deletions'
const settled = 'in the end each charge is a sale, or its money was returned once'
const second = 'a list above the limit changes nothing before another person uploads it'

/** `caughtBy` names an invariant. */
export const historyFaults: readonly Fault[] = [
  {
    name: 'a blocked buyer’s post is hidden',
    file: 'server/rules/post-access.ts',
    find: '  if (viewer.blocked && !isBought) return hidden\n',
    replace: '  if (viewer.blocked) return hidden\n',
    tests: stories,
    caughtBy: kept,
  },
  {
    name: 'only purchases after a removal are refunded',
    file: 'server/services/payments/lost-posts.ts',
    find: 'new Date(removedAt - RETURNED_MS)',
    replace: 'new Date(removedAt)',
    tests: stories,
    caughtBy: 'what staff removed is refunded once it cannot come back',
  },
  {
    name: 'a payment begins while nothing new is sold',
    file: 'server/services/payments/begin.ts',
    find: 'settings.payments.isSelling ? paymentProviders.current : undefined',
    replace: 'settings.payments ? paymentProviders.current : undefined',
    tests: stories,
    caughtBy: 'a payment has the price that the post had when it was begun',
  },
  {
    name: 'a return is booked although its provider is gone',
    file: 'server/services/payments/refund.ts',
    find: 'paymentProviders.of(charge.provider)?.refund\n',
    replace: '(paymentProviders.of(charge.provider)?.refund ?? (() => Promise.resolve()))\n',
    tests: stories,
    caughtBy: settled,
  },
  {
    name: 'a task closed by hand books all refunds of its charge',
    file: 'server/services/billing/close-task.ts',
    find: 'if (refund === undefined || refund === it.id) await addRefundPaid(tx, it, now)',
    replace: 'if (refund === undefined || it.id) await addRefundPaid(tx, it, now)',
    tests: stories,
    caughtBy: settled,
  },
  {
    name: 'a correction books what creators did not bear once more',
    file: 'server/modules/payouts/bank-fees.ts',
    find: 'const booked = before?.fee ?? (',
    replace: 'const booked = (',
    tests: ofPayouts,
    caughtBy: 'the account of the bank has what the bank took for a file, as it was recorded last',
  },
  {
    name: 'the email of a refund in part names the whole price',
    file: 'server/services/payments/refund.ts',
    find: 'announceRefund(unit, { ...payment, amount }, ',
    replace: 'announceRefund(unit, payment, ',
    tests: stories,
    caughtBy: 'in the end `money check` finds no difference',
  },
  {
    name: 'one person makes a list above the limit',
    file: 'server/modules/payments/uploaded-list.ts',
    find: '  const waits = await needsSecond(deps, by, second)\n',
    replace: '  const waits = false\n',
    tests: stories,
    caughtBy: second,
  },
  {
    name: 'who uploaded a list first confirms it too',
    file: 'server/services/billing/money-door.ts',
    find: '  asks.some((it) => it.details.actor !== actorId)\n',
    replace: '  asks.length > 0 || !actorId\n',
    tests: stories,
    caughtBy: second,
  },
  {
    name: 'a preview of a list makes it',
    file: 'server/modules/payments/uploaded-list.ts',
    find: '  if (isPreview || waits) {\n',
    replace: '  if (waits) {\n',
    tests: stories,
    caughtBy: second,
  },
  {
    name: 'bought posts of a deleted account stay for ever',
    file: 'server/modules/posts/deleted.ts',
    find: 'for (const postId of await listKeptOver(db, over, MOST))',
    replace: 'for (const postId of (await listKeptOver(db, over, MOST)).slice(MOST))',
    tests: stories,
    caughtBy: 'a year after its creator left, what was bought is gone, and no money moves',
  },
  {
    name: 'bought posts of a deleted account end two hours early',
    file: 'server/modules/posts/deleted.ts',
    find: 'new Date(clock() - KEPT_MS)',
    replace: 'new Date(clock() - KEPT_MS + 2 * 3600_000)',
    tests: stories,
    caughtBy: kept,
  },
]
