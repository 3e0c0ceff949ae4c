// BalanceRow: one balance that is not paid by itself, with the acts that it allows.
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { BalanceReason, ClearingKind } from '#contract/payouts/balance-names.ts'
import type { StrandedBalance } from '#contract/payouts/balances.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { BalanceActs, Contact } from './balances.ts'
import { balancesText as words } from './balances-text.ts'
import { ClearingSheet } from './clearing-sheet.tsx'

interface BalanceRowProps {
  balance: StrandedBalance
  acts: BalanceActs
}

export function BalanceRow({ balance: it, acts }: BalanceRowProps) {
  const id = useId()
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="min-w-0 font-semibold break-words">
          <Link
            to="/administration"
            search={{ show: 'people', person: it.creator.id }}
            className="underline underline-offset-4"
          >
            {it.creator.name}
          </Link>
        </h3>
        <p className="font-semibold tabular-nums">{yen(it.total)}</p>
      </div>
      <div className="mt-1 flex flex-wrap gap-2">
        {it.reasons.map((reason) => (
          <Badge key={reason} look={reason === 'old' ? 'plain' : 'care'}>
            {words.reasons[reason]}
          </Badge>
        ))}
      </div>
      {it.old > 0 && <p className="mt-1 text-sm text-soft tabular-nums">{words.old(yen(it.old))}</p>}
      {todoOf(it).map((sentence) => (
        <p key={sentence} className="mt-1 text-sm text-soft">
          {sentence}
        </p>
      ))}
      <Acts balance={it} acts={acts} />
    </li>
  )
}

/** What can be done about it. */
function todoOf({ reasons, total, can_clear, can_request, creator_state }: StrandedBalance): string[] {
  const { todo } = words
  const has = (reason: BalanceReason) => reasons.includes(reason)
  if (total < 0) return [can_clear ? todo.negative : todo.negativeSelling]
  if (creator_state === 'gone') {
    if (can_request) return [todo.request, todo.contact]
    return [has('no_account') || has('returned') || has('cancelled') ? todo.contact : todo.wait]
  }
  if (has('suspended')) return [todo.suspended]
  if (has('no_account')) return [todo.no_account]
  return [has('returned') ? todo.returned : todo.old]
}

const kindsOf = ({ total, can_clear }: StrandedBalance): readonly ClearingKind[] => {
  if (!can_clear) return []
  return total > 0 ? ['paid'] : ['repaid', 'borne']
}

function Acts({ balance: it, acts }: BalanceRowProps) {
  const [contact, setContact] = useState<Contact>()
  const [asked, setAsked] = useState<ClearingKind>()
  const [requesting, setRequesting] = useState(false)
  const { id, name } = it.creator
  const button = (label: string, onClick: () => void) => (
    <Button look="quiet" size="small" busy={acts.busy} busyLabel={text.working} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <>
      {contact && <ContactFacts contact={contact} />}
      {it.creator_state === 'gone' && !it.has_contact && (
        <p className="mt-2 text-sm text-soft">{words.contact.gone}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {it.has_contact &&
          !contact &&
          button(words.contact.show, () => void acts.contact(id).then(setContact))}
        {it.can_request && button(words.request.action, () => setRequesting(true))}
        {kindsOf(it).map((kind) => (
          <span key={kind}>{button(words.acts[kind], () => setAsked(kind))}</span>
        ))}
      </div>
      {asked && (
        <ClearingSheet
          kind={asked}
          balance={it}
          onClose={() => setAsked(undefined)}
          onDone={acts.readAgain}
          onUnconfirmed={acts.onUnconfirmed}
        />
      )}
      <AlertDialog
        open={requesting}
        onOpenChange={(open) => !open && !acts.busy && setRequesting(false)}
        title={words.request.title(name)}
        description={words.request.text(yen(it.total))}
        cancel={text.cancel}
        action={{
          label: words.request.action,
          busy: acts.busy,
          onSelect: () =>
            void acts.request(id).then((done) => {
              setRequesting(false)
              if (done) toast(words.request.done, 'success')
            }),
        }}
      />
    </>
  )
}

function ContactFacts({ contact }: { contact: Contact }) {
  const facts = [
    [words.contact.email, contact.email],
    [words.contact.name, contact.legal_name],
    [words.contact.kana, contact.legal_name_kana],
  ] as const
  return (
    <dl aria-label={words.contact.title} className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-all">{value === '' ? words.contact.none : value}</dd>
        </div>
      ))}
    </dl>
  )
}
