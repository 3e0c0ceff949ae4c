// DocumentRow: one issue of a receipt, or one statement.
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { IssuedDocument } from '#contract/payments/issued-documents.ts'
import type { IssuedKind } from '#contract/payments/issued-names.ts'
import type { PersonView } from '#contract/people/people.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { documentsText as words } from './text.ts'

const { facts } = words

export function DocumentRow({ document: it, kind }: { document: IssuedDocument; kind: IssuedKind }) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="font-semibold tabular-nums">
          {it.number}
          {kind === 'receipt' && <span className="ml-2 text-sm font-normal">{words.issue(it.issue)}</span>}
        </h3>
        <p className="font-semibold tabular-nums">{yen(it.amount)}</p>
      </div>
      <p className="mt-1 text-sm text-soft tabular-nums">
        {words.issuedAt(dateTime(Date.parse(it.issued_at)))}
      </p>
      {it.refunded_amount > 0 && (
        <p className="mt-1 text-sm tabular-nums">{words.refunded(yen(it.refunded_amount))}</p>
      )}
      {kind === 'statement' && <p className="mt-1 text-sm tabular-nums">{words.fee(yen(it.fee))}</p>}
      <dl className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
        <Fact name={facts.addressee} value={it.addressee === '' ? words.unstored : it.addressee} />
        {it.seller !== '' && <Fact name={facts.seller} value={it.seller} />}
        {it.registration_number !== '' && <Fact name={facts.registration} value={it.registration_number} />}
        {it.buyer && <PersonFact name={facts.buyer} person={it.buyer} />}
        <PersonFact name={facts.creator} person={it.creator} />
      </dl>
    </li>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  )
}

function PersonFact({ name, person }: { name: string; person: PersonView }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">
        <Link
          to="/administration"
          search={{ show: 'people', person: person.id }}
          className="underline underline-offset-4"
        >
          {person.name}
        </Link>
      </dd>
    </>
  )
}
