// HeldNote: why a post waits for a review, and the declaration it may lack.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { HoldReason } from '#contract/moderation/hold-names.ts'
import { declareFilm, FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { FilmDeclaration, filmDeclarationText } from '#src/domain/posts/film-declaration.tsx'
import { changePostIn } from '#src/domain/posts/post-cache.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { heldText as words } from './held-text.ts'

const titles: Partial<Record<HoldReason, string>> = {
  intimate: words.hiddenTitle,
  undeclared: words.undeclaredTitle,
}

export function HeldNote({ post: { id, held } }: { post: PostView }) {
  if (!held) return null
  return (
    <section
      aria-labelledby="held"
      className="mx-4 rounded-media border border-line bg-sunk px-4 py-3 rail:mx-6"
    >
      <h2 id="held" className="font-semibold">
        {titles[held.reason] ?? words.title}
      </h2>
      <p className="pt-1">{words.reasons[held.reason](held.word)}</p>
      {held.reason === 'undeclared' ? (
        <DeclareFilm postId={id} />
      ) : (
        <p className="pt-1 text-sm text-soft">{held.reason === 'intimate' ? words.hiddenNote : words.note}</p>
      )}
      <Link
        to="/settings/reports"
        search={{ show: 'holds' }}
        className="inline-flex min-h-11 items-center underline underline-offset-4"
      >
        {words.more}
      </Link>
    </section>
  )
}

/** Declares for the film, which is then shown to others. */
function DeclareFilm({ postId }: { postId: string }) {
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
