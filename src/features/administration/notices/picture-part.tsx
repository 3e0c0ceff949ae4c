// PicturePart: the picture of a stored notice, set and removed at once.
import { useId, useRef } from 'react'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { useNoticeChange } from './notices.ts'
import { noticesText } from './text.ts'

const words = noticesText.fields

export function PicturePart({ notice }: { notice: NoticeDetail | undefined }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-2">
      <h2 id={id} className="text-sm font-semibold">
        {words.picture}
        <span className="ml-2 font-normal text-soft">{words.optional}</span>
      </h2>
      {notice ? <Picture notice={notice} /> : <p className="text-sm text-soft">{words.pictureLater}</p>}
    </section>
  )
}

function Picture({ notice: { id, picture, picture_state: state } }: { notice: NoticeDetail }) {
  const input = useRef<HTMLInputElement>(null)
  const { busy, sendPicture, dropPicture } = useNoticeChange()
  return (
    <>
      {picture && (
        <img
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt=""
          className="h-auto w-full max-w-60 rounded-media bg-sunk"
        />
      )}
      <output className="text-sm text-soft">
        {state === 'processing'
          ? words.pictureMaking
          : state === 'failed'
            ? words.pictureFailed
            : words.pictureHint}
      </output>
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          size="small"
          busy={busy}
          busyLabel={text.working}
          onClick={() => input.current?.click()}
        >
          {state === 'none' ? words.pickPicture : words.changePicture}
        </Button>
        {state !== 'none' && (
          <Button look="danger" size="small" disabled={busy} onClick={() => void dropPicture(id)}>
            {words.removePicture}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.picture}
        accept={acceptedImages}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) void sendPicture(id, file)
        }}
      />
    </>
  )
}
