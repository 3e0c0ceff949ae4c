// DeclareFilm: declares for an own age-limited film that waits for it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { declareFilm, FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { FilmDeclaration, filmDeclarationText } from '#src/domain/posts/film-declaration.tsx'
import { changePostIn } from '#src/domain/posts/post-cache.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { heldText as words } from './held-text.ts'

export function DeclareFilm({ postId }: { postId: string }) {
  const client = useQueryClient()
  const [checked, setChecked] = useState(false)
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  async function press() {
    setPressed(true)
    if (!checked) return
    setBusy(true)
    try {
      const body = { version: FILM_DECLARATION }
      const post = await call(declareFilm, { params: { post_id: postId }, body })
      changePostIn(client, postId, () => post)
      toast(words.declared, 'success')
    } catch (failure) {
      toast(errorText[failure instanceof ApiFailure ? failure.code : 'internal'], 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <FilmDeclaration>
        <Check
          label={filmDeclarationText.check}
          checked={checked}
          error={pressed && !checked ? filmDeclarationText.required : undefined}
          onChange={setChecked}
        />
      </FilmDeclaration>
      <Button look="seal" busy={busy} busyLabel={text.working} onClick={() => void press()}>
        {words.declare}
      </Button>
    </>
  )
}
