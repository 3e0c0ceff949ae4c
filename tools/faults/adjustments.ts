// Planted faults in refunds of parts, disputes, fee rates and complimentary memberships.
import type { Fault } from './fault.ts'

const refunds = ['server/modules/adjustments/refunds.test.ts']
const others = ['server/modules/adjustments/adjustments.test.ts']

export const adjustmentFaults: readonly Fault[] = [
  {
    name: 'a preview of an adjustment is committed',
    file: 'server/modules/adjustments/preview.ts',
    find: 'if (isPreview) throw new Preview(made)',
    replace: 'if (isPreview) void new Preview(made)',
    tests: refunds,
    caughtBy: 'sees what a refund of a part would book, and nothing happens',
  },
  {
    name: 'a refund of a part does not compare what the admin saw',
    file: 'server/services/billing/refund-payment.ts',
    find: '  if (asked && asked.left !== left) return false\n',
    replace: '',
    tests: refunds,
    caughtBy: 'refunds parts, each once, and the last one closes the post and leaves nothing in the ledger',
  },
  {
    name: 'more is refunded than was paid',
    file: 'server/rules/money/payment.ts',
    find: "if (state !== 'paid' || left < 0) return unchanged",
    replace: "if (state !== 'paid') return unchanged",
    tests: ['server/rules/money/payment.test.ts'],
    caughtBy: 'in any history one charge grants access at most once, and each other charge is surplus',
  },
  {
    name: 'each part of a refund takes back the rounded shares of its own amount',
    file: 'server/rules/money/ledger.ts',
    find: '  const [before, after] = [sharesOf(left, feeRate), sharesOf(left - amount, feeRate)]\n',
    replace: '  const [before, after] = [sharesOf(left - left + amount, feeRate), sharesOf(0, feeRate)]\n',
    tests: ['server/rules/money/ledger.test.ts'],
    caughtBy:
      'refunds of parts that add up to the price reverse the sale exactly, and none of them gives a share',
  },
  {
    name: 'a disputed charge is refunded as well',
    file: 'server/rules/money/payment.ts',
    find: "if (state !== 'paid' || left < 0) return unchanged",
    replace: "if ((state !== 'paid' && state !== 'disputed') || left < 0) return unchanged",
    tests: refunds,
    caughtBy: 'records a dispute: the sale is taken back, its post closes, and a lost one ends it',
  },
  {
    name: 'a won dispute sells a post twice',
    file: 'server/services/billing/disputes.ts',
    find: '!(await hasPaidPost(tx, userId, postId))',
    replace: '(await hasPaidPost(tx, userId, postId)) !== undefined',
    tests: refunds,
    caughtBy: 'a won dispute of a post that was bought again is refunded, and the post stays open',
  },
  {
    name: 'the refund of a charge closes a post that another payment has opened',
    file: 'server/services/payments/refund.ts',
    find: 'if (postId === null || (await hasPaidPost(unit.tx, userId, postId))) return',
    replace: 'if (postId === null) return',
    tests: refunds,
    caughtBy: 'a won dispute of a post that was bought again is refunded, and the post stays open',
  },
  {
    name: 'a refund needs no recent validation',
    file: 'server/modules/adjustments/acting-admin.ts',
    find: '  validatedOf(viewer, clock())\n',
    replace: '  void [validatedOf, clock]\n',
    tests: refunds,
    caughtBy: 'needs a recent validation, and everyone else finds nothing here',
  },
  {
    name: 'months of a plan keep the fee of the first one',
    file: 'server/services/memberships/charge.ts',
    find: 'feeRate: (await feeRateOn(tx, form.creatorId, dayOf(now))) ?? form.feeRate',
    replace: 'feeRate: (await feeRateOn(tx, form.creatorId, dayOf(0))) ?? form.feeRate',
    tests: others,
    caughtBy: 'lowers the fee of a creator from tomorrow on, for posts and for months of plans',
  },
  {
    name: 'a fee is raised without a notice',
    file: 'server/rules/money/fee-change.ts',
    find: 'rate > before ? RAISE_NOTICE_DAYS : 1',
    replace: 'rate > before && now < 0 ? RAISE_NOTICE_DAYS : 1',
    tests: others,
    caughtBy: 'raises it in 30 days at the earliest, and never backwards',
  },
  {
    name: 'the end of a complimentary membership leaves its plan open',
    file: 'server/store/adjustments/complimentary.ts',
    find: 'where complimentary_id = ${id} and ends_at > ${moment}',
    replace: 'where complimentary_id = ${id} and ends_at < ${moment}',
    tests: others,
    caughtBy: 'who has a dearer plan for nothing can pay for a cheaper one, and ending the gift leaves it',
  },
]
