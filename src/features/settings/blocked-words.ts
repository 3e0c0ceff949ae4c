// Queries of a person's blocked words and held comments, and their changes.
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_BLOCKED_WORD } from '#contract/moderation/hold-names.ts'
import { listHeldComments, reviewHeldComment } from '#contract/moderation/held-comments.ts'
import { addOwnWord, listOwnWords, type OwnWord, removeOwnWord } from '#contract/moderation/own-words.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { blockedWordsText as words } from './blocked-words-text.ts'
import { showFailure } from './settings.ts'

export const ownWordsQuery = { ...queryFor(listOwnWords, {}), staleTime: 0 }
export const heldQuery = infiniteQueryOptions({ ...pagesFor(listHeldComments, {}), staleTime: 0 })

export function useBlockedWords() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const end = () => {
    setBusy(false)
    void client.invalidateQueries(queriesOf(listOwnWords))
  }
  /** @returns whether it was added */
  async function add(word: string): Promise<boolean> {
    setBusy(true)
    setError(undefined)
    try {
      await call(addOwnWord, { body: { word } })
      toast(words.added, 'success')
      return true
    } catch (failure) {
      const code = failure instanceof ApiFailure ? failure.fields?.['word'] : undefined
      if (code) setError(fieldSentence(code, MAX_BLOCKED_WORD))
      else if (failure instanceof ApiFailure && failure.code === 'conflict') setError(words.full)
      else showFailure(failure)
      return false
    } finally {
      end()
    }
  }
  async function remove({ id, word }: OwnWord): Promise<void> {
    try {
      await call(removeOwnWord, { params: { word_id: id } })
      toast(words.removed(word), 'success')
    } catch (failure) {
      showFailure(failure)
    } finally {
      end()
    }
  }
  return { add, remove, busy, error }
}

/** Shows or deletes a held comment. */
export function useReview() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(id: string, show: boolean): Promise<void> {
    setBusy(true)
    try {
      await call(reviewHeldComment, { params: { comment_id: id }, body: { show } })
      toast(show ? words.shown : words.deleted, 'success')
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === 'gone') toast(words.over, 'error')
      else showFailure(failure)
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listHeldComments))
    }
  }
  return { busy, review: (id: string, show: boolean) => void run(id, show) }
}
