// PlanPicture: a plan's picture; PlanPictureField: its change.
import { ImageIcon } from 'lucide-react'
import type { OpenPicture } from '#contract/posts/media.ts'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { pictureWords } from '#src/domain/media/text.ts'
import { type ChangeablePicture, PictureField } from '#src/ui/pictures/picture-field.tsx'
import { planText } from './text.ts'

const shape = { aspect: 16 / 9, cut: 'rect' } as const
const words = pictureWords(planText.form.picture)

/** The address of the picture's largest file; null without one. */
export const largestOf = (picture: OpenPicture | null): string | null => picture?.sources.at(-1)?.src ?? null

/** The picture in a list, or a drawing in its place. */
export function PlanThumb({ picture }: { picture: OpenPicture | null }) {
  const src = picture?.sources[0]?.src
  return (
    <span className="grid aspect-video w-28 shrink-0 place-items-center overflow-hidden rounded-field bg-sunk text-soft">
      {src === undefined ? <ImageIcon aria-hidden size={24} /> : <ShownPicture src={src} alt="" />}
    </span>
  )
}

export function PlanPictureField({ picture }: { picture: ChangeablePicture }) {
  return (
    <PictureField
      picture={picture}
      words={words}
      shape={shape}
      accept={acceptedImages}
      className="relative aspect-video w-full overflow-hidden bg-sunk"
    >
      {(src) =>
        src === null ? (
          <span className="absolute inset-x-0 bottom-3 text-center text-sm text-soft">
            {planText.form.noPicture}
          </span>
        ) : (
          <ShownPicture src={src} alt="" />
        )
      }
    </PictureField>
  )
}
