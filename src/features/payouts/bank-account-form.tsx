// BankAccountForm: stores or replaces the account, after the password.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { validatePassword } from '#contract/accounts/password.ts'
import { putBankAccount } from '#contract/payouts/bank-account.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { bankAccountQuery, bankForm, bodyOf, type FormOutput, yuchoForm } from './bank-account.ts'
import {
  BankFields,
  HolderField,
  PasswordInput,
  ResidenceField,
  YuchoFields,
} from './bank-account-fields.tsx'
import { bankAccountText } from './text.ts'

const words = bankAccountText.form

const defaults = {
  bank_code: '',
  branch_code: '',
  type: '1',
  number: '',
  symbol: '',
  yucho_number: '',
  holder: '',
  residence: '',
  password: '',
}
export type Values = typeof defaults

interface BankAccountFormProps {
  /** Whether an account is replaced. */
  isChange: boolean
  legalNameKana: string
  onStored: () => void
  /** Undefined where there is nothing to return to. */
  onCancel: (() => void) | undefined
}

/** What is typed stays on this page: an account number is not stored on the device. */
export function BankAccountForm({ isChange, legalNameKana, onStored, onCancel }: BankAccountFormProps) {
  const [way, setWay] = useState<'bank' | 'yucho'>('bank')
  const submit = useSubmit(way, () => {
    toast(isChange ? words.changed : words.stored, 'success')
    onStored()
  })
  const form = useSchemaForm({
    schema: way === 'bank' ? bankForm : yuchoForm,
    defaults: { ...defaults, holder: legalNameKana },
    submit,
  })
  const cards = (['bank', 'yucho'] as const).map((value) => ({ value, ...words.ways[value] }))
  return (
    <>
      <Form {...form.shell} action={isChange ? words.change : words.store} busyLabel={text.working}>
        <RadioCards label={words.wayLabel} value={way} onChange={setWay} cards={cards} />
        {way === 'bank' ? <BankFields form={form} /> : <YuchoFields form={form} />}
        <HolderField form={form} legalNameKana={legalNameKana} />
        <ResidenceField form={form} />
        <PasswordInput form={form} />
        <p className="text-sm text-soft">{isChange ? words.heldNote : words.firstNote}</p>
      </Form>
      {onCancel && (
        <Button look="quiet" wide className="mt-3" onClick={onCancel}>
          {words.cancel}
        </Button>
      )}
    </>
  )
}

/** Proves the password, then stores the account. A proven password is not sent again with a corrected account. */
function useSubmit(way: 'bank' | 'yucho', onStored: () => void) {
  const client = useQueryClient()
  const proven = useRef('')
  return async (values: FormOutput): Promise<string | void> => {
    const body = bodyOf(values)
    if ('is' in body) return words.problems[body.why]
    const { password } = values
    if (proven.current !== password) await call(validatePassword, { body: { password } })
    proven.current = password
    try {
      client.setQueryData(bankAccountQuery.queryKey, await call(putBankAccount, { body }))
    } catch (failure) {
      // The proof has expired, so that the next try needs the password again.
      if (failure instanceof ApiFailure && failure.code === 'validation_required') proven.current = ''
      if (way === 'yucho' && failure instanceof ApiFailure && 'branch_code' in failure.fields)
        return words.yuchoUnknown
      throw failure
    }
    onStored()
  }
}
