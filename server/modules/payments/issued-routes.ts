// The operator's search of receipts and statements, as they were issued.
import type { FastifyInstance } from 'fastify'
import { type IssuedDocument, listIssuedDocuments } from '#contract/payments/issued-documents.ts'
import { type IssuedKind } from '#contract/payments/issued-names.ts'
import { fold } from '#contract/text/fold.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor, type TimePlace } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { dayRange } from '#server/rules/money/periods.ts'
import { openAddressee, openReceipt } from '#server/services/documents/sealed-issue.ts'
import { personView } from '#server/services/people/person-view.ts'
import { type IssuedFilter, type IssuedRow, listIssued } from '#server/store/payments/issued-documents.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

/** Documents of one page, and rows that are opened for one: names are encrypted, so that they are compared here. */
const PAGE = 50
const OPENED_MOST = 5000

export function issuedRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(app, listIssuedDocuments, async ({ viewer, query, request }) => {
    const { kind, from, to, least, most, partner = '' } = query
    const filter = {
      from: from === undefined ? undefined : dayRange(from).from,
      to: to === undefined ? undefined : dayRange(to).to,
      least: least === undefined ? undefined : Number(least),
      most: most === undefined ? undefined : Number(most),
      after: timeCursor.read(query.cursor),
    }
    const { documents, next } = await search(deps, kind, filter, folded(partner))
    await deps.audit({
      actorId: viewer.id,
      act: 'issued_documents.list',
      subjectKind: 'user',
      subjectId: viewer.id,
      detail: { kind, documents: documents.map((it) => it.id) },
      ip: request.ip,
    })
    return { documents, next: next ? timeCursor.write(next) : null }
  })
}

/** A name as the search compares it. */
const folded = (name: string): string => fold(name).replaceAll(' ', '')

interface Found {
  readonly documents: IssuedDocument[]
  /** The last row that was looked at; undefined at the end of all. */
  readonly next: TimePlace | undefined
}

async function search(deps: Deps, kind: IssuedKind, filter: IssuedFilter, partner: string): Promise<Found> {
  const documents: IssuedDocument[] = []
  let { after } = filter
  for (let opened = 0; opened < OPENED_MOST;) {
    const rows = await listIssued(deps.db, kind, { ...filter, after }, PAGE)
    const people = await peopleOf(deps, rows)
    for (const row of rows) {
      after = { at: new Date(row.issuedAt), id: row.id }
      const document = documentOf(deps, kind, row, people)
      if (!document || !namesOf(document).some((it) => folded(it).includes(partner))) continue
      documents.push(document)
      if (documents.length === PAGE) return { documents, next: after }
    }
    if (rows.length < PAGE) return { documents, next: undefined }
    opened += rows.length
  }
  return { documents, next: after }
}

const namesOf = ({ addressee, seller, creator, buyer }: IssuedDocument): string[] => [
  addressee,
  seller,
  creator.name,
  creator.handle ?? '',
  buyer?.name ?? '',
  buyer?.handle ?? '',
]

const peopleOf = ({ db }: Deps, rows: readonly IssuedRow[]) =>
  findPeople(
    db,
    rows.flatMap((it) => [it.creatorId, ...(it.buyerId === null ? [] : [it.buyerId])]),
  )

function documentOf(
  deps: Deps,
  kind: IssuedKind,
  row: IssuedRow,
  people: ReadonlyMap<string, Person>,
): IssuedDocument | undefined {
  const creator = people.get(row.creatorId)
  if (!creator) return undefined
  const buyer = row.buyerId === null ? undefined : people.get(row.buyerId)
  return {
    id: row.id,
    number: row.number,
    issue: row.issue,
    issued_at: new Date(row.issuedAt).toISOString(),
    amount: row.amount,
    refunded_amount: row.refundedAmount,
    fee: row.fee,
    buyer: buyer ? personView(buyer) : null,
    creator: personView(creator),
    ...namedOf(deps, kind, row),
  }
}

/** Who is named on it. */
function namedOf(
  deps: Deps,
  kind: IssuedKind,
  { id, sealed, addressee, issuerNumber }: IssuedRow,
): Pick<IssuedDocument, 'addressee' | 'seller' | 'registration_number'> {
  if (kind === 'statement') {
    const name = sealed === '' ? '' : openAddressee(deps, { id, sealed })
    return { addressee: name, seller: '', registration_number: issuerNumber }
  }
  if (sealed === '') return { addressee, seller: '', registration_number: '' }
  const content = openReceipt(deps, { id, sealed })
  return {
    addressee: content.addressee,
    seller: content.seller ?? content.creator,
    registration_number: content.registrationNumber ?? '',
  }
}
