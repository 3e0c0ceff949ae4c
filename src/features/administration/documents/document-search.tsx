// DocumentSearch: kind, days, amounts and partner of the documents that are searched.
import { useState } from 'react'
import { MAX_PARTNER } from '#contract/payments/issued-documents.ts'
import { issuedKinds } from '#contract/payments/issued-names.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { type DocumentFilter, isAmount } from './documents.ts'
import { documentsText as words } from './text.ts'

const kindOptions = () => issuedKinds.map((value) => ({ value, label: words.kinds[value] }))

interface DocumentSearchProps {
  filter: DocumentFilter
  onSearch: (filter: DocumentFilter) => void
}

export function DocumentSearch({ filter, onSearch }: DocumentSearchProps) {
  const [typed, setTyped] = useState(filter)
  const change = (part: Partial<DocumentFilter>) => setTyped((it) => ({ ...it, ...part }))
  return (
    <search aria-label={words.search}>
      <form
        className="border-b border-line px-4 pb-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isAmount(typed.least) || !isAmount(typed.most)) return
          const { least, most, partner } = typed
          onSearch({ ...typed, least: least.trim(), most: most.trim(), partner: partner.trim() })
        }}
      >
        <div className="grid gap-3 rail:grid-cols-2">
          <Field label={words.kind}>
            <Select
              options={kindOptions()}
              value={typed.kind}
              onChange={({ target }) =>
                change({ kind: issuedKinds.find((it) => it === target.value) ?? 'receipt' })
              }
            />
          </Field>
          <Field label={words.partner} hint={words.partnerHint}>
            <TextInput
              type="search"
              maxLength={MAX_PARTNER}
              value={typed.partner}
              onChange={({ target }) => change({ partner: target.value })}
            />
          </Field>
          <Ranges typed={typed} change={change} />
        </div>
        <Button look="ink" type="submit" className="mt-4">
          {words.act}
        </Button>
      </form>
    </search>
  )
}

interface RangesProps {
  typed: DocumentFilter
  change: (part: Partial<DocumentFilter>) => void
}

/** Days and amounts, from and to. */
function Ranges({ typed, change }: RangesProps) {
  const day = (name: 'from' | 'to') => (
    <Field label={words[name]}>
      <TextInput
        type="date"
        value={typed[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </Field>
  )
  const amount = (name: 'least' | 'most') => (
    <Field label={words[name]} error={isAmount(typed[name]) ? undefined : words.amountProblem}>
      <TextInput
        inputMode="numeric"
        value={typed[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <>
      {day('from')}
      {day('to')}
      {amount('least')}
      {amount('most')}
    </>
  )
}
