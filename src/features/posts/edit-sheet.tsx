// EditSheet: an author changes what a post says. What was written stays in the sheet until it is saved.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_CONTENT } from '#contract/limits.ts'
import { changePost } from '#contract/own-posts.ts'
import type { PostView } from '#contract/posts.ts'
import { ApiFailure, call } from '#src/lib/api.ts'
import { graphemesIn } from '#src/lib/graphemes.ts'
import { changePostIn } from '#src/lib/post-cache.ts'
import { errorText, fieldSentence } from '#src/lib/text-errors.ts'
import { postText as words } from '#src/lib/text-post.ts'
import { text } from '#src/lib/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/field.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import { toast } from '#src/ui/toast.ts'

interface EditSheetProps {
  post: PostView
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function EditSheet({ post, open, onOpenChange }: EditSheetProps) {
  const said = post.access.is === 'full' ? post.access.content : ''
  const [typed, setTyped] = useState(said)
  const [problem, setProblem] = useState<string>()
  const save = useSave(post.id, onOpenChange, setProblem)
  const length = graphemesIn(typed)
  const tooLong = length > MAX_CONTENT ? fieldSentence('too_long', MAX_CONTENT) : undefined
  const send = () => !tooLong && void save.run(typed)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={words.editTitle}
      closeLabel={text.close}
      footer={
        <Button
          wide
          busy={save.busy}
          busyLabel={text.working}
          disabled={typed === said || tooLong !== undefined}
          onClick={send}
        >
          {words.save}
        </Button>
      }
    >
      <Field label={words.content} error={tooLong ?? problem} count={{ now: length, max: MAX_CONTENT }}>
        <TextArea
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
          onKeyDown={(event) => {
            const { isComposing, keyCode } = event.nativeEvent
            if (event.key !== 'Enter' || isComposing || keyCode === 229) return
            if ((event.ctrlKey || event.metaKey) && typed !== said) send()
          }}
          className="min-h-40"
        />
      </Field>
    </Sheet>
  )
}

function useSave(
  id: string,
  onOpenChange: (open: boolean) => void,
  onProblem: (sentence: string | undefined) => void,
) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(content: string) {
    setBusy(true)
    onProblem(undefined)
    try {
      const post = await call(changePost, { params: { post_id: id }, body: { content } })
      changePostIn(queryClient, id, () => post)
      onOpenChange(false)
      toast(words.saved, 'success')
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : undefined
      const field = failure?.fields['content']
      onProblem(field ? fieldSentence(field, MAX_CONTENT) : errorText[failure?.code ?? 'internal'])
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
