// useNoticeForm: the values of the form of a notice, and how they are stored.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import {
  audienceOf,
  fieldsOf,
  formFrom,
  formOf,
  type NoticeForm,
  problemsOf,
  type Problems,
  refusedOf,
  typedOf,
} from './notice-form.ts'
import { useNoticeChange } from './notices.ts'
import { noticesText as words } from './text.ts'

const isSame = (one: NoticeForm, other: NoticeForm) => JSON.stringify(one) === JSON.stringify(other)

/**
 * What is typed stays on the device until it is stored by the server. What another person stored meanwhile takes the place of unchanged
 * values. With changes, the form is `outdated` and the server refuses it, until `renew` gives the changes up.
 * @param notice undefined for a new one
 * @param onAdded called with the id of a new one once it is stored
 */
export function useNoticeForm(notice: NoticeDetail | undefined, onAdded: (id: string) => void) {
  const latest = formOf(notice)
  // The values and the revision from which the changes began are stored with them.
  const unchanged = { ...typedOf(latest), base: '', revision: '' }
  const typed = useTypedFields(`notice.${notice?.id ?? 'new'}`, unchanged)
  const { base, revision, ...values } = typed.values
  const form = formFrom(values, latest)
  const [id] = useState(() => notice?.id ?? newId())
  const [problems, setProblems] = useState<Problems>({})
  const { busy, add, change } = useNoticeChange()
  const dirty = !isSame(form, latest)
  const isBehind = notice !== undefined && dirty && base !== '' && base !== JSON.stringify(latest)

  function write(part: Partial<NoticeForm>): void {
    const next = { ...form, ...part }
    if (isSame(next, latest)) return typed.clear()
    const from = isBehind
      ? { base, revision }
      : { base: JSON.stringify(latest), revision: String(notice?.revision ?? 0) }
    typed.change({ ...typedOf(next), ...from })
  }

  async function save(): Promise<void> {
    const found = problemsOf(form)
    setProblems(found)
    const audience = audienceOf(form)
    if (Object.keys(found).length > 0 || !audience) return
    const fields = fieldsOf(form, audience)
    // Publishing and the like change the revision, and not the words.
    const from = isBehind ? Number(revision) : (notice?.revision ?? 0)
    const result = notice ? await change(id, { revision: from, ...fields }) : await add({ id, ...fields })
    if (result.is === 'refused') setProblems(refusedOf(result.fields))
    if (result.is !== 'done') return
    typed.clear()
    toast(words.saved, 'success')
    if (!notice) onAdded(id)
  }

  return {
    form,
    problems,
    dirty,
    /** Whether the values are those of an earlier visit. */
    isRestored: typed.isRestored && dirty,
    outdated: isBehind && !busy,
    busy,
    change: write,
    save,
    /** Gives the changes up. */
    renew: typed.clear,
  }
}
