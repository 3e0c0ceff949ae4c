// PayoutRow: one payout with the actions that its state allows.
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type AdminPayout, MAX_PAYOUT_REASON } from '#contract/payouts/admin-payouts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { date, dateTime, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { PayoutAction } from './payouts.ts'
import { payoutsText as words } from './payouts-text.ts'
import { TaxSheet } from './tax-sheet.tsx'

type Perform = (action: PayoutAction) => Promise<boolean>

interface PayoutRowProps {
  payout: AdminPayout
  busy: boolean
  perform: Perform
}

export function PayoutRow({ payout: it, busy, perform }: PayoutRowProps) {
  const id = useId()
  const isCare = it.state === 'held' || it.state === 'returned'
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="min-w-0 font-semibold break-words">
          <Link to="/profile/$id" params={{ id: it.creator.id }} className="underline underline-offset-4">
            {it.creator.name}
          </Link>
        </h3>
        <div className="flex flex-wrap gap-2">
          {it.creator_state !== 'present' && (
            <Badge look="care">{words.creatorStates[it.creator_state]}</Badge>
          )}
          <Badge look={isCare ? 'care' : it.state === 'paid' ? 'good' : 'plain'}>
            {words.states[it.state]}
          </Badge>
        </div>
      </div>
      <Facts payout={it} />
      {it.held_until !== null && (
        <p className="mt-2 text-sm text-care-text">{words.heldUntil(dateTime(Date.parse(it.held_until)))}</p>
      )}
      {it.stop !== null && it.stop !== 'held' && (
        <p className={`mt-2 text-sm ${it.stop === 'other_admin' ? 'text-soft' : 'text-care-text'}`}>
          {words.stops[it.stop]}
        </p>
      )}
      {waitsForTax(it) && <p className="mt-2 text-sm text-care-text">{words.tax.waits}</p>}
      <Actions payout={it} busy={busy} perform={perform} />
    </li>
  )
}

const waitsForTax = ({ state, tax_check: check }: AdminPayout) => state === 'held' && check === 'waits'

function Facts({ payout: it }: { payout: AdminPayout }) {
  const { rows } = words
  const facts: (readonly [string, string])[] = [
    [rows.transfer, yen(it.amount - it.fee - it.withheld)],
    [rows.fee, yen(it.fee)],
    [rows.requested, dateTime(Date.parse(it.requested_at))],
    [rows.due, date(Date.parse(`${it.due_on}T00:00:00+09:00`))],
    [rows.holder, it.name_check === null ? words.noAccount : words.nameChecks[it.name_check]],
    ...(it.names
      ? ([
          [rows.holderName, it.names.holder],
          [rows.legalName, legalNameOf(it.names)],
        ] as const)
      : []),
    ...(it.tax_check === 'done'
      ? [[rows.withheld, words.tax.decided(yen(it.withheld), it.tax_reason)] as const]
      : []),
    ...(it.reason === '' ? [] : [[rows.reason, it.reason] as const]),
  ]
  return (
    <>
      <p className="text-sm text-soft tabular-nums">{words.number(it.number)}</p>
      <dl className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const legalNameOf = ({ legal_name: name, legal_name_kana: kana }: NonNullable<AdminPayout['names']>) =>
  name === '' && kana === '' ? words.noName : words.registered(name || words.noName, kana || words.noKana)

type Reasoned = 'hold' | 'cancel' | 'returned'

function Actions({ payout, busy, perform }: PayoutRowProps) {
  const { id, state, stop } = payout
  const [asked, setAsked] = useState<Reasoned>()
  const [taxing, setTaxing] = useState(false)
  const can = {
    approve: state === 'requested' ? stop === null : stop === 'approve_again',
    tax: waitsForTax(payout),
    release: state === 'held' && payout.tax_check !== 'waits',
    hold: state === 'requested' || state === 'approved',
    cancel: state === 'requested' || state === 'held' || state === 'approved',
    paid: state === 'exported',
    returned: state === 'exported' || state === 'paid',
  }
  if (!Object.values(can).includes(true)) return null
  const button = (label: string, onClick: () => void, look: 'ink' | 'quiet' | 'danger' = 'quiet') => (
    <Button look={look} size="small" busy={busy} busyLabel={text.working} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {can.approve && button(words.approve, () => void perform({ is: 'approve', ids: [id] }), 'ink')}
      {can.release &&
        button(words.release, () => void perform({ is: 'decide', id, body: { is: 'release' } }), 'ink')}
      {can.tax && button(words.tax.action, () => setTaxing(true), 'ink')}
      {can.paid && button(words.paid, () => void perform({ is: 'settle', id, body: { is: 'paid' } }), 'ink')}
      {can.hold && button(words.hold, () => setAsked('hold'))}
      {can.returned && button(words.returned, () => setAsked('returned'))}
      {can.cancel && button(words.cancel, () => setAsked('cancel'), 'danger')}
      {taxing && <TaxSheet payout={payout} busy={busy} perform={perform} onClose={() => setTaxing(false)} />}
      <ReasonSheet
        key={asked}
        action={asked}
        asksForFee={state === 'exported'}
        busy={busy}
        onClose={() => setAsked(undefined)}
        onSend={async (reason, keepsFee) => {
          if (asked === undefined) return
          const sent = await perform(actionOf(asked, id, reason, keepsFee))
          if (sent) setAsked(undefined)
        }}
      />
    </div>
  )
}

const actionOf = (asked: Reasoned, id: string, reason: string, keepsFee: boolean): PayoutAction =>
  asked === 'returned'
    ? { is: 'settle', id, body: { is: 'returned', reason, keeps_fee: keepsFee } }
    : { is: 'decide', id, body: { is: asked, reason } }

interface ReasonSheetProps {
  action: Reasoned | undefined
  /** Whether the bank may charge a transfer that it did not send. */
  asksForFee: boolean
  busy: boolean
  onClose: () => void
  onSend: (reason: string, keepsFee: boolean) => Promise<void>
}

function ReasonSheet({ action, asksForFee, busy, onClose, onSend }: ReasonSheetProps) {
  const names = words.reason
  const [reason, setReason] = useState('')
  const [keepsFee, setKeepsFee] = useState(false)
  const [pressed, setPressed] = useState(false)
  const length = lengthOf(reason, MAX_PAYOUT_REASON)
  const tooLong = length > MAX_PAYOUT_REASON
  const isEmpty = reason.trim() === ''
  const { title, label } = names[action ?? 'hold']
  return (
    <Sheet
      open={action !== undefined}
      onOpenChange={(open) => !open && !busy && onClose()}
      title={title}
      closeLabel={text.close}
      footer={
        <Button
          wide
          look={action === 'cancel' ? 'danger' : 'ink'}
          busy={busy}
          busyLabel={text.working}
          onClick={() => {
            setPressed(true)
            if (!isEmpty && !tooLong) void onSend(reason, keepsFee)
          }}
        >
          {label}
        </Button>
      }
    >
      <Field
        label={names.field}
        hint={names.hint}
        error={
          tooLong
            ? fieldSentence('too_long', MAX_PAYOUT_REASON)
            : pressed && isEmpty
              ? names.required
              : undefined
        }
        count={{ now: length, max: MAX_PAYOUT_REASON }}
      >
        <TextArea value={reason} onChange={(event) => setReason(event.target.value)} className="min-h-28" />
      </Field>
      {action === 'returned' && asksForFee && (
        <Check label={names.keepsFee} hint={names.keepsFeeHint} checked={keepsFee} onChange={setKeepsFee} />
      )}
    </Sheet>
  )
}
