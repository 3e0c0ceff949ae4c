// The fields of the form of a bank account.
import { useStore } from '@tanstack/react-form'
import { useState } from 'react'
import { accountTypes } from '#contract/payouts/bank-account.ts'
import type { DirectoryEntry } from '#contract/payouts/banks.ts'
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { sessionText } from '#src/domain/session/text.ts'
import { Field } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { convertedOf, differsFrom } from './bank-account.ts'
import type { Values } from './bank-account-form.tsx'
import { DirectoryField } from './directory-field.tsx'
import { ResidenceChoice } from './residence-choice.tsx'
import { bankAccountText, residenceText } from './text.ts'

const words = bankAccountText.form
type Form = SchemaForm<Values>
interface FieldsProps {
  form: Form
}

const numeric = { inputMode: 'numeric', autoComplete: 'off' } as const

export function BankFields({ form }: FieldsProps) {
  const [bank, setBank] = useState<DirectoryEntry | null>(null)
  const [branch, setBranch] = useState<DirectoryEntry | null>(null)
  return (
    <>
      <FormField of={form} name="bank_code">
        {({ error, onChange, onBlur }) => (
          <DirectoryField
            label={words.bank}
            hint={words.bankHint}
            error={error && words.notChosen}
            bankCode={null}
            chosen={bank}
            onBlur={onBlur}
            onChoose={(it) => {
              setBank(it)
              onChange(it?.code ?? '')
              if (it?.code === bank?.code) return
              setBranch(null)
              form.api.setFieldValue('branch_code', '', { dontUpdateMeta: true })
            }}
          />
        )}
      </FormField>
      <FormField of={form} name="branch_code">
        {({ error, onChange, onBlur }) => (
          <DirectoryField
            key={bank?.code ?? ''}
            label={words.branch}
            hint={bank ? words.branchHint : words.branchFirst}
            error={error && words.notChosen}
            bankCode={bank?.code ?? ''}
            chosen={branch}
            onBlur={onBlur}
            onChoose={(it) => {
              setBranch(it)
              onChange(it?.code ?? '')
            }}
          />
        )}
      </FormField>
      <TypeField form={form} />
      <FormField of={form} name="number">
        {({ error, input }) => (
          <TextField {...input} {...numeric} label={words.number} hint={words.numberHint} error={error} />
        )}
      </FormField>
    </>
  )
}

function TypeField({ form }: FieldsProps) {
  return (
    <FormField of={form} name="type">
      {({ value, error, onChange, onBlur }) => (
        <Field label={words.type} error={error}>
          <Select
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
            options={accountTypes.map((type) => ({ value: type, label: bankAccountText.types[type] }))}
          />
        </Field>
      )}
    </FormField>
  )
}

export function YuchoFields({ form }: FieldsProps) {
  return (
    <>
      <FormField of={form} name="symbol">
        {({ error, input }) => (
          <TextField {...input} {...numeric} label={words.symbol} hint={words.symbolHint} error={error} />
        )}
      </FormField>
      <FormField of={form} name="yucho_number">
        {({ error, input }) => <TextField {...input} {...numeric} label={words.yuchoNumber} error={error} />}
      </FormField>
      <Converted form={form} />
    </>
  )
}

/** The branch and number of the typed 記号 and 番号, or why there are none. */
function Converted({ form }: FieldsProps) {
  const values = useStore(form.api.store, (state) => state.values) as Values
  const it = convertedOf(values.symbol, values.yucho_number)
  const sentence = () => {
    if (it === undefined) return words.convertedHint
    if (it.is === 'refused') return words.problems[it.why]
    return words.converted(it.branchCode, bankAccountText.types[it.type], it.number)
  }
  return <output className="block rounded-field bg-sunk px-4 py-3 text-sm tabular-nums">{sentence()}</output>
}

export function HolderField({ form, legalNameKana }: FieldsProps & { legalNameKana: string }) {
  return (
    <FormField of={form} name="holder">
      {({ value, error, input }) => (
        <TextField
          {...input}
          label={words.holder}
          hint={differsFrom(value, legalNameKana) ? words.holderDiffers : words.holderHint}
          error={error}
          autoComplete="off"
        />
      )}
    </FormField>
  )
}

export function ResidenceField({ form }: FieldsProps) {
  return (
    <FormField of={form} name="residence">
      {({ value, error, onChange }) => (
        <ResidenceChoice value={value} error={error} onChange={onChange} hint={residenceText.hint} />
      )}
    </FormField>
  )
}

export function PasswordInput({ form }: { form: SchemaForm<{ password: string }> }) {
  return (
    <FormField of={form} name="password">
      {({ error, input }) => (
        <PasswordField
          label={words.password}
          hint={words.passwordHint}
          error={error}
          showLabel={sessionText.showPassword}
          hideLabel={sessionText.hidePassword}
          input={{ ...input, autoComplete: 'current-password' }}
        />
      )}
    </FormField>
  )
}
