// Planted faults in sales, closed days, statements and payouts.
import type { Fault } from './fault.ts'

const sales = ['server/modules/sales/sales.test.ts']
const statements = ['server/modules/sales/statements.test.ts']
const requests = ['server/modules/payouts/payouts.test.ts']
const operator = ['server/modules/payouts/operator.test.ts']

export const payoutFaults: readonly Fault[] = [
  {
    name: 'an entry of a server whose clock is late is booked in a closed day',
    file: 'server/store/payments/ledger.ts',
    find: 'at: sql`greatest(${new Date(now).toISOString()}::timestamptz, (${openFrom}))`',
    replace: 'at: new Date(now)',
    tests: sales,
    caughtBy: 'of a server whose clock is late are booked after the last closed day',
  },
  {
    name: 'days of sales are those of UTC',
    file: 'server/store/sales/sums.ts',
    find: "sql`(${at} at time zone 'Asia/Tokyo')::date`",
    replace: "sql`(${at} at time zone 'UTC')::date`",
    tests: sales,
    caughtBy: 'of a month have its figures, days, items and members',
  },
  {
    name: 'sales of the open month can be paid out',
    file: 'server/rules/money/sales.ts',
    find: 'Math.max(0, Math.min(total, closed))',
    replace: 'Math.max(0, total)',
    tests: sales,
    caughtBy: 'cannot be paid out before their month is closed',
  },
  {
    name: 'a refund of the open month does not lower what can be paid out',
    file: 'server/rules/money/sales.ts',
    find: 'Math.max(0, Math.min(total, closed))',
    replace: 'Math.max(0, closed)',
    tests: requests,
    caughtBy: 'is not taken from sales of the open month, nor after a refund has taken them',
  },
  {
    name: 'a statement begins with a balance of zero',
    file: 'server/modules/sales/closing.ts',
    find: 'statementOf(openings.get(creatorId) ?? 0,',
    replace: 'statementOf(0,',
    tests: statements,
    caughtBy: 'is made once its month is closed, and months that were missed are made in their order',
  },
  {
    name: 'the entry of a request is missing',
    file: 'server/modules/payouts/request.ts',
    find: "  await addEntryOnce(tx, { cause: 'payout', payoutId: it.id, creatorId, lines }, now)\n",
    replace: '',
    tests: requests,
    caughtBy: 'takes the whole available balance, with one entry',
  },
  {
    name: 'a payout of another amount than the page showed is made',
    file: 'server/modules/payouts/request.ts',
    find: "  if (it.amount !== undefined && it.amount !== amount) return 'another_amount'\n",
    replace: '',
    tests: requests,
    caughtBy: 'of another amount than the page showed is refused',
  },
  {
    name: 'two exports at once take the same payouts',
    file: 'server/store/payouts/payouts.ts',
    find: "    .limit(limit)\n    .for('update')\n",
    replace: '    .limit(limit)\n',
    tests: operator,
    caughtBy: 'makes one file when several are requested at once',
  },
  {
    name: 'the admin who approved a payout exports it',
    file: 'server/modules/payouts/transfer.ts',
    find: '!needsAnother || approvedBy !== actorId',
    replace: 'true || needsAnother || approvedBy !== actorId',
    tests: operator,
    caughtBy: 'approves, another admin makes the file, and the bank’s result pays',
  },
  {
    name: 'a returned transfer is not put back into the balance',
    file: 'server/modules/payouts/advance.ts',
    find: "      return { cause: 'payout_returned', lines: returnLines(payout, from, step.keepsFee) }\n",
    replace: '      return undefined\n',
    tests: operator,
    caughtBy: 'puts a returned transfer back into the balance, and the next one needs another account',
  },
  {
    name: 'a payout to an account that was just changed is approved',
    file: 'server/modules/payouts/admin-routes.ts',
    find: '    if (!account || isHeld(account.heldUntil, deps.clock())) return false\n',
    replace: '    if (!account) return false\n',
    tests: operator,
    caughtBy: 'puts a returned transfer back into the balance, and the next one needs another account',
  },
  {
    name: 'the transfer file is read without a recent validation',
    file: 'server/modules/payouts/admin-routes.ts',
    find: 'const bytes = await readTransferFile(deps, exportId, byOf(deps, viewer, request.ip))',
    replace: 'const bytes = await readTransferFile(deps, exportId, { actorId: viewer.id, ip: request.ip })',
    tests: operator,
    caughtBy: 'needs a recent validation for each change, and every change is in the audit log',
  },
]
