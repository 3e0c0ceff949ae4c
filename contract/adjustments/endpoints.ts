// Every endpoint of adjustments.
import { decideDispute, disputeByAdmin, refundByAdmin, searchAdjustments } from './adjustments.ts'
import { addComplimentary, endComplimentary, listComplimentary } from './complimentary.ts'
import { addFeeRate, listFeeRates } from './fee-rates.ts'

export const adjustmentEndpoints = [
  searchAdjustments,
  refundByAdmin,
  disputeByAdmin,
  decideDispute,
  listFeeRates,
  addFeeRate,
  listComplimentary,
  addComplimentary,
  endComplimentary,
] as const
