// Converts the state of a membership from and to its row.
import type { Membership } from '#server/rules/money/membership.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'

/** @throws when the columns contradict the state */
export function stateOf(row: MembershipRow): Membership {
  const paidUntil = row.paidUntil.getTime()
  switch (row.state) {
    case 'active':
    case 'past_due':
      return { is: row.state, paidUntil }
    case 'cancelling':
      return { is: 'cancelling', since: momentOf(row.stoppedAt), paidUntil, why: whyOf(row) }
    case 'ended':
      return { is: 'ended', at: momentOf(row.endedAt), why: whyOf(row) }
    default:
      return row.state satisfies never
  }
}

function momentOf(at: Date | null): number {
  if (at === null) throw new Error('a membership lacks the moment of its state')
  return at.getTime()
}

function whyOf({ why }: MembershipRow) {
  if (why === null) throw new Error('a membership that ends lacks its reason')
  return why
}

type Columns = Pick<MembershipRow, 'state' | 'paidUntil' | 'stoppedAt' | 'endedAt' | 'why'>

/**
 * The columns of a state.
 * @param row the columns before: an ended membership has the end of what was paid from there
 */
export function columnsOf(state: Membership, row: Pick<Columns, 'paidUntil' | 'stoppedAt'>): Columns {
  switch (state.is) {
    case 'active':
    case 'past_due':
      return {
        state: state.is,
        paidUntil: new Date(state.paidUntil),
        stoppedAt: null,
        endedAt: null,
        why: null,
      }
    case 'cancelling':
      return {
        state: state.is,
        paidUntil: new Date(state.paidUntil),
        stoppedAt: new Date(state.since),
        endedAt: null,
        why: state.why,
      }
    case 'ended':
      return { ...row, state: state.is, endedAt: new Date(state.at), why: state.why }
    case 'pending':
      throw new Error('a membership has a row from its first charge on')
    default:
      return state satisfies never
  }
}
