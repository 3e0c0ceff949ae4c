// The search of the operator's copies, by the parts of an address.
import { listIssuedDocuments } from '#contract/payments/issued-documents.ts'
import { issuedKinds, type IssuedKind } from '#contract/payments/issued-names.ts'
import { pagesFor } from '#src/domain/queries/query.ts'

export interface DocumentFilter {
  readonly kind: IssuedKind
  readonly from: string
  readonly to: string
  readonly least: string
  readonly most: string
  readonly partner: string
}

/** @param search the parts of an address */
export const documentFilterOf = (search: {
  readonly kind?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly least?: string | undefined
  readonly most?: string | undefined
  readonly q?: string | undefined
}): DocumentFilter => ({
  kind: issuedKinds.find((it) => it === search.kind) ?? 'receipt',
  from: search.from ?? '',
  to: search.to ?? '',
  least: search.least ?? '',
  most: search.most ?? '',
  partner: search.q ?? '',
})

/** Whether an amount was typed that can be searched: digits, or nothing. */
export const isAmount = (typed: string): boolean => /^(-?\d{1,9})?$/.test(typed.trim())

export const documentsQuery = ({ kind, from, to, least, most, partner }: DocumentFilter) => ({
  ...pagesFor(listIssuedDocuments, {
    query: {
      kind,
      ...(from !== '' && { from }),
      ...(to !== '' && { to }),
      ...(least !== '' && { least }),
      ...(most !== '' && { most }),
      ...(partner !== '' && { partner }),
    },
  }),
  staleTime: 0,
  // Each reading is an entry of the audit log.
  refetchOnWindowFocus: false,
})
