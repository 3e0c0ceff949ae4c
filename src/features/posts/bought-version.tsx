// BoughtVersion: opens a post's texts as they were bought, after its seller changed them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getBoughtVersion } from '#contract/posts/bought-version.ts'
import { RichText } from '#src/domain/posts/rich-text.tsx'
import { queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { postText as words } from './text.ts'

/** Nothing where the person has not bought it, or it is as it was bought. */
export function BoughtVersion({ postId }: { postId: string }) {
  const { data } = useQuery(queryFor(getBoughtVersion, { params: { post_id: postId } }))
  const [open, setOpen] = useState(false)
  const version = data?.version
  if (!version) return null
  return (
    <div className="px-4 rail:px-6">
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        {words.boughtVersion}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={words.boughtVersionTitle} closeLabel={text.close}>
        <p className="text-sm text-soft">
          {words.boughtVersionText(dateTime(Date.parse(version.changed_at)))}
        </p>
        <div className="mt-4 flex flex-col gap-3">
          {version.title !== '' && <RichText text={version.title} className="text-lg font-semibold" />}
          {version.introduction !== '' && <RichText text={version.introduction} />}
          {version.content !== '' && <RichText text={version.content} />}
        </div>
      </Sheet>
    </div>
  )
}
