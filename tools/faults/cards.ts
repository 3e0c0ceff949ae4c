// Faults planted in changes of cards: what is kept, and for how long.
import type { Fault } from './fault.ts'

const changes = ['server/modules/memberships/cards.test.ts']
const returns = ['server/modules/memberships/card-returns.test.ts']
const card = 'server/services/memberships/card.ts'
const charge = 'server/services/memberships/card-charge.ts'

export const cardFaults: readonly Fault[] = [
  {
    name: 'the card before a change is charged on',
    file: card,
    find: '  await stopForeign(unit, form.id, before, now)\n',
    replace: '',
    tests: changes,
    caughtBy: 'and the one before is stopped',
  },
  {
    name: 'a form that is done twice has two cards',
    file: card,
    find: "if (step.is !== 'moved' || before.state === 'ended') {",
    replace: "if (before.state === 'ended') {",
    tests: changes,
    caughtBy: 'what the same form registers again is stopped',
  },
  {
    name: 'a report about a replaced card is that of the present one',
    file: 'server/services/billing/handle-notice.ts',
    find: "  if (!isFormOf(membership, payment)) return { outcome: 'unchanged'",
    replace: "  if (false) return { outcome: 'unchanged'",
    tests: changes,
    caughtBy: 'a report that the card before was stopped or failed changes nothing',
  },
  {
    name: 'a registration of another amount counts',
    file: 'server/services/billing/handle-notice.ts',
    find: "const isRegistration = is === 'registered' && payment.registersOnly",
    replace: "const isRegistration = is === 'registered'",
    tests: changes,
    caughtBy: 'a notice that says another amount or shop changes nothing',
  },
  {
    name: 'a charge of a replaced card pays the next month',
    file: charge,
    find: 'if (!isPaid && isOfBefore && ',
    replace: 'if (!isPaid && ',
    tests: changes,
    caughtBy: 'the card before, charged once more, is returned',
  },
  {
    name: 'a lost registration is not mended by the list',
    file: 'server/services/billing/compare-recurring.ts',
    find: "form.state !== 'registered' &&",
    replace: "form.state === 'registered' &&",
    tests: changes,
    caughtBy: 'a lost notice is mended',
  },
  {
    name: 'the price of a changed card is that of new members',
    file: card,
    find: 'const price = wantedAmount(row) || row.price',
    replace: 'const price = plan?.price ?? row.price',
    tests: returns,
    caughtBy: 'pays that month at once',
  },
  {
    name: 'the month of a form that the card before has paid is kept',
    file: charge,
    find: 'const isRepeated = isCovered || (await hasPaidPeriod(tx, before.id, new Date(until)))',
    replace: 'const isRepeated = false',
    tests: returns,
    caughtBy: 'where the card before has paid the month meanwhile',
  },
  {
    name: 'the place of who could not pay is given away at once',
    file: 'server/rules/plan-state.ts',
    find: 'members + changing + returning >= memberLimit',
    replace: 'members + changing >= memberLimit',
    tests: returns,
    caughtBy: 'keeps price, place and posts for fourteen days',
  },
  {
    name: 'a membership that ended unpaid can be continued for ever',
    file: 'server/services/memberships/returning.ts',
    find: 'now < (returnUntil(row) ?? 0)',
    replace: 'returnUntil(row) !== undefined',
    tests: returns,
    caughtBy: 'after them the place is free',
  },
  {
    name: 'a cancellation after the form was begun is lost',
    file: 'server/rules/money/membership.ts',
    find: "it.why === 'cancelled' && begunAt <= it.at",
    replace: 'false',
    tests: returns,
    caughtBy: 'who cancelled after the form was begun has the month',
  },
  {
    name: 'the form of a blocked member pays a month',
    file: charge,
    find: "  if (refusal !== undefined) return refusal === 'already_joined' ? 'bought' : 'gone'\n",
    replace: '',
    tests: returns,
    caughtBy: 'a charge after the time of the return, or after a block',
  },
  {
    name: 'an expiring card is told at every sweep',
    file: 'server/services/memberships/expiring.ts',
    find: '      await setMembership(unit.tx, id, { cardTold: row.cardExpires })\n',
    replace: '',
    tests: changes,
    caughtBy: 'is told once from the first day of its last month on',
  },
]
