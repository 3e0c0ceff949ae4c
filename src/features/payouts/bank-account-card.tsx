// BankAccountCard: the stored account, masked, with what holds its payouts.
import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StoredAccount } from '#contract/payouts/bank-account.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { cx } from '#src/ui/cx.ts'
import { bankAccountText, residenceText } from './text.ts'

const words = bankAccountText.card

export function BankAccountCard({ account }: { account: StoredAccount }) {
  const { bank, branch, type, last_digits, held_until, name_check, residence } = account
  return (
    <section
      aria-label={words.title}
      data-card-focus
      tabIndex={-1}
      className="flex flex-col gap-3 outline-none"
    >
      {held_until !== null && (
        <Note look="care">{bankAccountText.held(dateTime(Date.parse(held_until)))}</Note>
      )}
      {branch.name === '' && <Note look="care">{bankAccountText.closed}</Note>}
      {name_check === 'differs' && <Note look="care">{bankAccountText.differs}</Note>}
      {name_check === 'unknown' && <Note look="info">{bankAccountText.unknown}</Note>}
      {residence?.is === 'abroad' && <Note look="info">{residenceText.abroad}</Note>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2.5 rounded-media border border-line bg-raised px-4 py-4">
        <Fact name={words.bank}>{`${bank.name} ${bank.code}`.trim()}</Fact>
        <Fact name={words.branch}>{`${branch.name} ${branch.code}`.trim()}</Fact>
        <Fact name={words.type}>{bankAccountText.types[type]}</Fact>
        <Fact name={words.number}>
          <span aria-hidden>{words.masked(last_digits)}</span>
          <span className="sr-only">{words.maskedSpoken(last_digits)}</span>
        </Fact>
        {residence && (
          <Fact name={words.residence}>
            {`${residenceText.residences[residence.is]}（${residenceText.declared(date(Date.parse(residence.at)))}）`}
          </Fact>
        )}
      </dl>
      <div className="text-sm text-soft">
        <p>{words.maskedHint}</p>
        <p>{words.changed(date(Date.parse(account.changed_at)))}</p>
        {residence && <p>{residenceText.moved}</p>}
      </div>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="min-w-0 font-semibold wrap-anywhere tabular-nums">{children}</dd>
    </>
  )
}

function Note({ look, children }: { look: 'care' | 'info'; children: string }) {
  const Icon = look === 'care' ? TriangleAlert : Info
  return (
    <p className="flex gap-3 rounded-field bg-sunk px-4 py-3 text-sm">
      <Icon
        aria-hidden
        size={18}
        className={cx('mt-0.5 shrink-0', look === 'care' ? 'text-care-text' : 'text-info-text')}
      />
      <span>{children}</span>
    </p>
  )
}
