// Queries of sellers, and the rules of their forms.
import * as v from 'valibot'
import { getOwnSeller, listSellerRequests, ownSellerBody } from '#contract/sellers/own-seller.ts'
import { getSeller, sellerReason } from '#contract/sellers/sellers.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'

export const sellerQuery = (userId: string) => queryFor(getSeller, { params: { user_id: userId } })
export const ownSellerQuery = queryFor(getOwnSeller, {})
export const receivedQuery = pagesFor(listSellerRequests, { query: {} })

export const ownSellerForm = ownSellerBody
export const requestForm = v.object({ reason: sellerReason })
