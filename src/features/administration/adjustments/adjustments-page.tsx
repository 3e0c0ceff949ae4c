// AdjustmentsPage: an admin finds a payment or a person, and makes adjustments.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { MAX_ADJUSTMENT_SEARCH } from '#contract/adjustments/adjustments.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { searchQuery } from './adjustments.ts'
import { Complimentary } from './complimentary.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import { FeeRates } from './fee-rates.tsx'
import { PaymentCard } from './payment-card.tsx'
import { adjustmentsText as words } from './text.ts'

interface AdjustmentsPageProps {
  /** What is searched; undefined before. */
  searched: string | undefined
  onSearch: (text: string) => void
  failed: Failed
  Confirmation: Confirms
}

export function AdjustmentsPage({ searched, onSearch, failed, Confirmation }: AdjustmentsPageProps) {
  const [confirming, setConfirming] = useState(false)
  return (
    <section aria-labelledby="adjustments" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="adjustments" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <Search key={searched} searched={searched ?? ''} onSearch={onSearch} />
      {searched !== undefined && (
        <Found searched={searched} failed={failed} onUnconfirmed={() => setConfirming(true)} />
      )}
      <ConfirmSheet open={confirming} onOpenChange={setConfirming} Confirmation={Confirmation} />
    </section>
  )
}

function Search({ searched, onSearch }: { searched: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(searched)
  return (
    <search>
      <form
        className="px-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') onSearch(typed.trim())
        }}
      >
        <Field label={words.search.label} hint={words.search.hint}>
          <TextInput
            type="search"
            autoCapitalize="none"
            maxLength={MAX_ADJUSTMENT_SEARCH}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button look="ink" type="submit" className="mt-3">
          {words.search.act}
        </Button>
      </form>
    </search>
  )
}

interface FoundProps {
  searched: string
  failed: Failed
  onUnconfirmed: () => void
}

function Found({ searched, failed, onUnconfirmed }: FoundProps) {
  const reading = useQuery(searchQuery(searched))
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { person, payments } = reading.data
  if (!person && payments.length === 0)
    return <EmptyState drawing="letter" title={words.search.none} text={words.search.noneText} />
  return (
    <>
      {person && (
        <p className="px-4 pt-6 text-lg font-semibold">
          <Link to="/profile/$id" params={{ id: person.id }} className="underline underline-offset-4">
            {person.name}
          </Link>
        </p>
      )}
      <section aria-labelledby="payments" className="pt-6">
        <h3 id="payments" className="px-4 pb-2 font-semibold">
          {words.payments}
        </h3>
        {payments.length === 0 ? (
          <p className="px-4 text-sm text-soft">{words.noPayments}</p>
        ) : (
          <ul className="border-t border-line">
            {payments.map((it) => (
              <PaymentCard
                key={it.id}
                payment={it}
                onUnconfirmed={onUnconfirmed}
                onChanged={() => void reading.refetch()}
              />
            ))}
          </ul>
        )}
      </section>
      {person && (
        <>
          <FeeRates userId={person.id} failed={failed} onUnconfirmed={onUnconfirmed} />
          <Complimentary userId={person.id} failed={failed} onUnconfirmed={onUnconfirmed} />
        </>
      )}
    </>
  )
}
