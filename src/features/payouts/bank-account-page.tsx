// BankAccountPage: the stored account, its form, or what has to come before.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { bankAccountQuery } from './bank-account.ts'
import { BankAccountCard } from './bank-account-card.tsx'
import { BankAccountForm } from './bank-account-form.tsx'
import { AskResidence } from './ask-residence.tsx'
import { RemoveAccount } from './remove-account.tsx'
import { bankAccountText as words } from './text.ts'

export function BankAccountPage() {
  const { account, may_store, legal_name_kana } = useSuspenseQuery(bankAccountQuery).data
  const [mode, setMode] = useState<'shown' | 'changing' | 'removing'>('shown')
  const page = useRef<HTMLDivElement>(null)
  useModeFocus(page, mode)
  if (!account && may_store !== 'yes') return <Before why={may_store} />
  const show = () => setMode('shown')
  return (
    <div ref={page} className="flex flex-col gap-5 px-4 pt-5 pb-16 rail:px-6">
      <p className="text-sm text-soft">{words.lead}</p>
      {account && <BankAccountCard account={account} />}
      {account && account.residence === null && mode === 'shown' && <AskResidence />}
      {account && mode === 'shown' && <Actions mayChange={may_store === 'yes'} onMode={setMode} />}
      {account && mode === 'removing' && <RemoveAccount onRemoved={show} onCancel={show} />}
      {(!account || mode === 'changing') && (
        <div>
          <h2 data-mode-focus tabIndex={-1} className="mb-3 font-semibold outline-none">
            {account ? words.form.changeTitle : words.form.newTitle}
          </h2>
          <BankAccountForm
            isChange={account !== null}
            legalNameKana={legal_name_kana}
            onStored={show}
            onCancel={account ? show : undefined}
          />
        </div>
      )}
    </div>
  )
}

/** Moves the focus from a button that is gone to what took its place: a heading, or the account. */
function useModeFocus(page: RefObject<HTMLDivElement | null>, mode: string): void {
  const before = useRef(mode)
  useEffect(() => {
    if (before.current === mode) return
    before.current = mode
    const part = mode === 'shown' ? '[data-card-focus]' : '[data-mode-focus]'
    page.current?.querySelector<HTMLElement>(part)?.focus()
  }, [page, mode])
}

interface ActionsProps {
  mayChange: boolean
  onMode: (mode: 'changing' | 'removing') => void
}

function Actions({ mayChange, onMode }: ActionsProps) {
  return (
    <>
      {!mayChange && <p className="text-sm text-soft">{words.withdrawn}</p>}
      <div className="flex flex-wrap gap-3">
        <Button look="ink" disabled={!mayChange} onClick={() => onMode('changing')}>
          {words.card.change}
        </Button>
        <Button look="danger" onClick={() => onMode('removing')}>
          {words.card.remove}
        </Button>
      </div>
    </>
  )
}

function Before({ why }: { why: 'identity_required' | 'under_age' }) {
  if (why === 'under_age') return <EmptyState drawing="letter" title={words.underAge} />
  return (
    <EmptyState
      drawing="letter"
      title={words.needsIdentity}
      text={words.needsIdentityText}
      action={
        <Link to="/user/verification" className={buttonClass('ink')}>
          {words.toIdentity}
        </Link>
      }
    />
  )
}
