// useOpenedCase: opens the case of a person or thing; closed, its sheet leaves it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { leaveCase } from '#contract/moderation/cases.ts'
import { openCase, type OpenedKind, readPersonCases } from '#contract/moderation/person-cases.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { caseQuery } from '#src/features/administration/reports/cases.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { measuresText as words } from './measures-text.ts'

const sentences: Partial<Record<ApiFailure['code'], string>> = {
  conflict: words.locked,
  forbidden: words.notYours,
  not_found: words.gone,
}

export interface OpenedCases {
  /** The thing whose case is being opened. */
  readonly opening: string | undefined
  readonly begin: (kind: OpenedKind, targetId: string) => Promise<void>
  /** The open case; undefined while none is, and until it was read. */
  readonly found: ReturnType<typeof useFound>
  /** @param decided false when the sheet was closed without a decision */
  readonly end: (decided: boolean) => void
}

const useFound = (id: string | undefined) =>
  useQuery({ ...caseQuery(id ?? ''), enabled: id !== undefined }).data?.case

export function useOpenedCase(): OpenedCases {
  const client = useQueryClient()
  const [opening, setOpening] = useState<string>()
  const [id, setId] = useState<string>()
  const found = useFound(id)
  const leaving = useRef(Promise.resolve())
  async function begin(kind: OpenedKind, targetId: string) {
    if (opening !== undefined) return
    setOpening(targetId)
    try {
      // The case that was left must not be given back after it was opened again.
      await leaving.current
      const opened = await call(openCase, { body: { kind, target_id: targetId } })
      await client.fetchQuery(caseQuery(opened.case.id))
      setId(opened.case.id)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(sentences[failure.code] ?? errorText[failure.code], 'error')
      // Says who has it. Each reading is an audit entry: after a success nothing else has changed.
      void client.invalidateQueries(queriesOf(readPersonCases))
    } finally {
      setOpening(undefined)
    }
  }
  async function leave(caseId: string) {
    try {
      await call(leaveCase, { params: { case_id: caseId } })
    } catch (failure) {
      // The lock ends by itself.
      if (!(failure instanceof ApiFailure)) throw failure
    }
  }
  return {
    opening,
    begin,
    found: id === undefined ? undefined : found,
    end: (decided) => {
      if (id !== undefined && !decided) leaving.current = leave(id)
      setId(undefined)
    },
  }
}
