// Pictures: cover and avatar of the own profile, to be changed.
import type { ReactNode } from 'react'
import type { PictureRole } from '#contract/people/people.ts'
import { acceptedImages } from '#src/domain/media/accepted.ts'
import { pictureWords } from '#src/domain/media/text.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { PictureField } from '#src/ui/pictures/picture-field.tsx'
import { usePicture } from './use-picture.ts'

const pictures = {
  avatar: { shape: { aspect: 1, cut: 'round' }, words: pictureWords(words.avatar) },
  cover: { shape: { aspect: 3, cut: 'rect' }, words: pictureWords(words.cover) },
} as const

export function Pictures({ name }: { name: string }) {
  return (
    <div>
      <OwnPicture of="cover" className="relative aspect-3/1 w-full overflow-hidden bg-sunk">
        {(src) => src !== null && <ShownPicture src={src} alt="" />}
      </OwnPicture>
      <div className="px-4 rail:px-6">
        <OwnPicture of="avatar" className="relative -mt-11 inline-block">
          {(src) => <Avatar name={name} src={src} size={88} className="box-content border-4 border-paper" />}
        </OwnPicture>
      </div>
    </div>
  )
}

interface OwnPictureProps {
  of: PictureRole
  children: (src: string | null) => ReactNode
  className: string
}

function OwnPicture({ of: role, children, className }: OwnPictureProps) {
  return (
    <PictureField
      {...pictures[role]}
      picture={usePicture(role)}
      accept={acceptedImages}
      className={className}
    >
      {children}
    </PictureField>
  )
}
