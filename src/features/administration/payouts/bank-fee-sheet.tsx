// BankFeeSheet: records or corrects what the bank took for a transfer file.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldCode } from '#contract/errors.ts'
import { newId } from '#contract/ids.ts'
import { listPayoutExports, type PayoutExport } from '#contract/payouts/admin-payouts.ts'
import { MAX_BANK_FEE_OF_TRANSFER, recordBankFee } from '#contract/payouts/bank-fees.ts'
import { call } from '#src/domain/api/api.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { yen } from '#src/lib/format.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { yenOf } from '#src/features/administration/adjustments/adjustments.ts'
import { PreviewSheet } from '#src/features/administration/adjustments/preview-sheet.tsx'
import { bankFeeText } from './bank-fee-text.ts'

const words = bankFeeText.sheet

interface BankFeeSheetProps {
  file: PayoutExport
  /** The file in words. */
  row: string
  onClose: () => void
  onUnconfirmed: () => void
}

/** @param fee undefined when what is typed is none, or above `most` @param code of the server, or 'unchanged' */
function problemOf(fee: number | undefined, most: number, code: FieldCode | undefined): string | undefined {
  if (fee !== undefined && code === 'unchanged') return words.unchanged
  return fee === undefined || code ? words.problem(yen(most)) : undefined
}

export function BankFeeSheet({ file, row, onClose, onUnconfirmed }: BankFeeSheetProps) {
  const client = useQueryClient()
  // The same id for each try, so that a lost reply leaves one record.
  const [id] = useState(newId)
  const [latest] = useState(file.bank_fees.at(-1))
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, FieldCode>>>({})
  const most = file.count * MAX_BANK_FEE_OF_TRANSFER
  const fee = yenOf(typed, 0, most)
  const problem = problemOf(fee, most, refused['fee'] ?? (fee === latest?.fee ? 'unchanged' : undefined))
  /** Reads the list again, also after a conflict. */
  const close = () => {
    onClose()
    void client.invalidateQueries(queriesOf(listPayoutExports))
  }
  return (
    <PreviewSheet
      open
      title={latest ? words.correction : words.title}
      onClose={close}
      check={() => {
        setPressed(true)
        return problem === undefined
      }}
      request={(preview) => {
        const body = { id, fee: fee ?? 0, replaces: latest?.id ?? null, preview }
        return call(recordBankFee, { params: { export_id: file.id }, body })
      }}
      onRefused={setRefused}
      conflict={words.conflict}
      lead={words.previewLead}
      facts={[
        [words.file, row],
        [words.fee, yen(fee ?? 0)],
        [words.borne, yen(file.borne)],
        ...(latest ? [[words.before, yen(latest.fee)] as const] : []),
      ]}
      done={words.done}
      onDone={close}
      onUnconfirmed={onUnconfirmed}
    >
      <p>{words.lead}</p>
      <p className="font-semibold tabular-nums">{row}</p>
      <Field label={words.fee} error={pressed ? problem : undefined}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setRefused({})
          }}
        />
      </Field>
    </PreviewSheet>
  )
}
