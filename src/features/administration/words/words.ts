// The query of the operator's words, and their changes.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_BLOCKED_WORD } from '#contract/moderation/hold-names.ts'
import { addOperatorWord, listOperatorWords, removeOperatorWord } from '#contract/moderation/words.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText, fieldSentence } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { wordsText as words } from './text.ts'

export const wordsQuery = { ...queryFor(listOperatorWords, {}), staleTime: 0 }

/** Adds a word; `error` is the sentence about the typed one. */
export function useAddWord() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  /** @returns whether it was added */
  async function add(word: string, note: string): Promise<boolean> {
    setBusy(true)
    setError(undefined)
    try {
      await call(addOperatorWord, { body: { word, note } })
      toast(words.added, 'success')
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      const code = failure.fields?.['word']
      if (code) setError(fieldSentence(code, MAX_BLOCKED_WORD))
      else
        toast(failure.code === 'conflict' ? words.full : `${words.failed}${errorText[failure.code]}`, 'error')
      return false
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listOperatorWords))
    }
  }
  return { add, busy, error }
}

export function useRemoveWord() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function remove(id: string): Promise<void> {
    setBusy(true)
    try {
      await call(removeOperatorWord, { params: { word_id: id } })
      toast(words.removed, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listOperatorWords))
    }
  }
  return { remove, busy }
}
