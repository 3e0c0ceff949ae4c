// Checks money: recomputes ledger, rights and payouts from what happened, without code of the server.
import { type Difference, differencesOf, type Query } from './difference.ts'
import { emailDifferences } from './email-rules.ts'
import { ledgerRules } from './ledger-rules.ts'
import { paymentRules } from './payment-rules.ts'
import { payoutRules } from './payout-rules.ts'
import { rightRules } from './right-rules.ts'

export interface MoneyReport {
  readonly differences: readonly Difference[]
  readonly charges: number
  readonly entries: number
  /** Bought posts, and plans of paid and given memberships, open and closed. */
  readonly rights: number
}

const counts = `select (select count(*) from charges)::int as charges, (select count(*) from ledger_entries)::int as entries,
  ((select count(*) from post_purchases) + (select count(*) from plan_members) + (select count(*) from complimentary_grants))::int as rights`

/**
 * @param query runs in one transaction that sees one state of the database
 * @param at ms since 1970, when what is open is looked at
 * @param openEmail reads a sealed email; throws when its key is not there
 */
export async function checkMoney(
  query: Query,
  at: number,
  openEmail: (sealed: string) => string,
): Promise<MoneyReport> {
  const now = `'${new Date(at).toISOString()}'::timestamptz`
  const rules = [...ledgerRules, ...paymentRules(now), ...rightRules(now), ...payoutRules]
  const differences = [...(await differencesOf(query, rules)), ...(await emailDifferences(query, openEmail))]
  const [row] = await query(counts)
  const { charges, entries, rights } = row as Record<'charges' | 'entries' | 'rights', number>
  return { differences, charges, entries, rights }
}
