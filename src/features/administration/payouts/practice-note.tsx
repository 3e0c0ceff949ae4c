// PracticeNote: tells the operator that payments move no money.
import { useQuery } from '@tanstack/react-query'
import { getOperator } from '#contract/operator.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { payoutsText as words } from './payouts-text.ts'

const operatorQuery = queryFor(getOperator, {})

export function PracticeNote() {
  if (!useQuery(operatorQuery).data?.payments?.is_sandbox) return null
  return <p className="mx-4 mb-4 border border-line bg-sunk px-3 py-2 text-sm">{words.practice}</p>
}
