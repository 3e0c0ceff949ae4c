// useNoticeForm: the values of the form of a notice, and how they are stored.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import {
  audienceOf,
  fieldsOf,
  formOf,
  type NoticeForm,
  problemsOf,
  type Problems,
  refusedOf,
} from './notice-form.ts'
import { useNoticeChange } from './notices.ts'
import { noticesText as words } from './text.ts'

const isSame = (one: NoticeForm, other: NoticeForm) => JSON.stringify(one) === JSON.stringify(other)

/**
 * What another person stored meanwhile takes the place of unchanged values. With changes, the form is `outdated` and the server
 * refuses it, until `renew` gives the changes up.
 * @param notice undefined for a new one
 * @param onAdded called with the id of a new one once it is stored
 */
export function useNoticeForm(notice: NoticeDetail | undefined, onAdded: (id: string) => void) {
  const [form, setForm] = useState(() => formOf(notice))
  /** The values from which the form began, and their revision. */
  const [base, setBase] = useState({ form, revision: notice?.revision ?? 0 })
  const [id] = useState(() => notice?.id ?? newId())
  const [problems, setProblems] = useState<Problems>({})
  const { busy, add, change } = useNoticeChange()
  const dirty = !isSame(form, base.form)
  const latest = notice && formOf(notice)
  const isBehind = latest !== undefined && !isSame(latest, base.form)

  function begin(from: NoticeDetail): void {
    const next = formOf(from)
    setForm(next)
    setBase({ form: next, revision: from.revision })
  }
  if (notice && isBehind && !dirty) begin(notice)
  // Publishing and the like change the revision, and not the words.
  if (notice && !isBehind && base.revision !== notice.revision)
    setBase({ form: base.form, revision: notice.revision })

  async function save(): Promise<void> {
    const found = problemsOf(form)
    setProblems(found)
    const audience = audienceOf(form)
    if (Object.keys(found).length > 0 || !audience) return
    const fields = fieldsOf(form, audience)
    const result = notice
      ? await change(id, { revision: base.revision, ...fields })
      : await add({ id, ...fields })
    if (result.is === 'refused') setProblems(refusedOf(result.fields))
    if (result.is !== 'done') return
    begin(result.notice)
    toast(words.saved, 'success')
    if (!notice) onAdded(id)
  }

  return {
    form,
    problems,
    dirty,
    outdated: isBehind && dirty && !busy,
    busy,
    change: (part: Partial<NoticeForm>) => setForm({ ...form, ...part }),
    save,
    renew: () => notice && begin(notice),
  }
}
